import { connect, type Socket } from 'node:net';

type OnResponse = (status: number, tookMs: number) => void;

export type ConnectionOptions = {
  host: string;
  port: number;
  /** Requests go out until then (performance.now()); read before each. */
  endsAt: number;
  /** The next request as it goes over the wire. */
  next: () => string;
  onResponse: OnResponse;
  /** The connection broke or gave something that is no HTTP response with a length. */
  failed: (error: Error) => void;
};

/** Far cheaper than a general client: it shares cores with what it measures. Resolves after `endsAt`. */
export async function driveConnection(options: ConnectionOptions): Promise<void> {
  while (performance.now() < options.endsAt) await driveSocket(options);
}

/** Resolves when the time is over or the connection has ended. */
function driveSocket(options: ConnectionOptions): Promise<void> {
  const { host, port, next, onResponse, failed } = options;
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true });
    let pending = '';
    let sentAt = 0;
    let isWaiting = false;

    function send(): void {
      sentAt = performance.now();
      isWaiting = sentAt < options.endsAt;
      if (!isWaiting) return void socket.destroy();
      socket.write(next(), 'utf8');
    }

    socket.setEncoding('latin1');
    socket.setTimeout(30_000, () => socket.destroy(new Error('no response within 30 s')));
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      pending += String(chunk);
      const response = readResponse(pending);
      if (response === 'incomplete') return;
      if (response === 'unreadable') return endWith(socket, new Error('a response without a length'));
      pending = '';
      onResponse(response.status, performance.now() - sentAt);
      send();
    });
    socket.on('error', failed);
    socket.on('close', (hadError) => {
      if (isWaiting && !hadError) failed(new Error('the connection was closed'));
      // No busy loop against a server that refuses.
      setTimeout(resolve, hadError ? 100 : 0);
    });
  });
}

function endWith(socket: Socket, error: Error): void {
  socket.destroy(error);
}

/** Reads a response out of the latin1 text of all bytes so far. */
export function readResponse(text: string): { status: number } | 'incomplete' | 'unreadable' {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return 'incomplete';
  const status = Number(text.slice(9, 12));
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined || !text.startsWith('HTTP/1.1 ')) return status === 204 ? { status } : 'unreadable';
  return text.length >= headEnd + 4 + Number(length) ? { status } : 'incomplete';
}
