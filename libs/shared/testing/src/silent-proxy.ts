import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Passes connections on to a store. */
export type SilentProxy = {
  port: number;
  /**
   * Connections of now stay open and nothing passes through them any more, not even that one side has closed; new ones
   * work. Gives their number.
   */
  silence(): number;
  close(): void;
};

export async function startSilentProxy(target: { host: string; port: number }): Promise<SilentProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const all = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const store = connect({ ...target, noDelay: true });
    const pair = [client, store] as const;
    pairs.add(pair);
    client.pipe(store);
    store.pipe(client);
    for (const socket of pair) {
      all.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        all.delete(socket);
        // The other side hears of it, unless they fell silent.
        if (pairs.delete(pair)) for (const one of pair) one.destroy();
      });
    }
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      const silenced = pairs.size;
      for (const [client, store] of pairs) {
        client.unpipe(store).resume();
        store.unpipe(client).resume();
      }
      pairs.clear();
      return silenced;
    },
    close() {
      server.close();
      for (const socket of all) socket.destroy();
    },
  };
}
