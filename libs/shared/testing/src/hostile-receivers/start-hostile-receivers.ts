import { type AddressInfo, createServer, type Socket } from 'node:net';
import { httpOk, replying } from './behaviour.ts';
import type { ResolveName } from '@eas/egress';
import { type HostileEnd, type HostileKind, hostileKinds } from './receivers.ts';
import { hostileResolver } from './resolve-hostile.ts';

export { type HostileEnd } from './receivers.ts';
export { hostileResolver } from './resolve-hostile.ts';

export type HostileReceiver = {
  name: string;
  url: string;
  /** How a request must end, one of these. */
  ends: readonly HostileEnd[];
  /** Connections that clients have open to it now. */
  openSockets(): number;
};

export type HostileReceivers = {
  receivers: HostileReceiver[];
  /** Answers every request with 200. */
  normal: HostileReceiver;
  /** For the client: it knows the names in the URLs, as a hostile name server would. */
  resolve: ResolveName;
  close(): Promise<void>;
};

const normalKind: HostileKind = {
  name: 'normal',
  behave: replying(`${httpOk}content-length: 2\r\n\r\nok`),
  ends: [{ status: 200, isBodyCut: false }],
};

/** One server on 127.0.0.1 for each way in which a receiver can hold up or mislead its client, and a normal one. */
export async function startHostileReceivers(): Promise<HostileReceivers> {
  const started = await Promise.all([normalKind, ...hostileKinds].map(start));
  const [normal, ...receivers] = started.map(({ receiver }) => receiver);
  if (!normal) throw new Error('no receiver started');
  return {
    receivers,
    normal,
    resolve: hostileResolver(),
    async close() {
      await Promise.all(started.map(({ stop }) => stop()));
    },
  };
}

async function start({ name, behave, ends, scheme = 'http', hostname = '127.0.0.1' }: HostileKind) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Clients disconnect on purpose.
    socket.on('error', () => {});
    behave(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: HostileReceiver = {
    name,
    url: `${scheme}://${hostname}:${port}/`,
    ends,
    openSockets: () => sockets.size,
  };
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { receiver, stop };
}
