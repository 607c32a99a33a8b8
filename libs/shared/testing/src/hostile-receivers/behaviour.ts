import type { Socket } from 'node:net';

/** What a hostile receiver does with a connection. */
export type Behaviour = (socket: Socket) => void;

export const httpOk = 'HTTP/1.1 200 OK\r\n';

/** Calls back for each complete request, with its number on this connection, from 1. */
export function onRequest(socket: Socket, react: (number: number) => void): void {
  let received = '';
  let number = 0;
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    received += chunk as unknown as string;
    for (let length = requestLength(received); length > 0; length = requestLength(received)) {
      received = received.slice(length);
      number += 1;
      react(number);
    }
  });
}

/** 0 while the request is not complete. */
function requestLength(received: string): number {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0);
  const length = headEnd + 4 + bodyLength;
  return received.length >= length ? length : 0;
}

/** Answers each request with the text, and leaves the connection open. */
export function replying(text: string | Buffer): Behaviour {
  return (socket) => onRequest(socket, () => socket.write(text));
}

/** Answers each request with the text, then with the piece again and again, `everyMs` apart, until it is cut off. */
export function dripping(text: string, piece: string, everyMs: number): Behaviour {
  return (socket) =>
    onRequest(socket, () => {
      socket.write(text);
      const timer = setInterval(() => socket.write(piece), everyMs);
      socket.once('close', () => clearInterval(timer));
    });
}

/** The same as fast as the client reads it. */
export function flooding(text: string, piece: string): Behaviour {
  const pieces = piece.repeat(Math.ceil(65_536 / piece.length));
  return (socket) =>
    onRequest(socket, () => {
      socket.write(text);
      // One write per tick: other receivers, and often the client, run in the same process.
      const pour = () => {
        if (!socket.destroyed) socket.write(pieces, () => setImmediate(pour));
      };
      pour();
    });
}

/** Writes the text before any request has come. */
export function speakingFirst(text: string): Behaviour {
  return (socket) => void socket.resume().write(text);
}
