import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Passes connections on to a store. */
export type SilentProxy = {
  /** That of the store, by way of the proxy. */
  url: string;
  /**
   * Current connections stay open but pass nothing any more, not even the close of one side; new ones work. Returns
   * their number.
   */
  silence(): number;
  close(): void;
};

export async function startSilentProxy(storeUrl: string): Promise<SilentProxy> {
  const { hostname: host, port } = new URL(storeUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const all = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const store = connect({ host, port: Number(port), noDelay: true, allowHalfOpen: true });
    const pair = [client, store] as const;
    pairs.add(pair);
    client.pipe(store);
    store.pipe(client);
    for (const socket of pair) {
      all.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        all.delete(socket);
        // The other side is notified, unless the connection fell silent.
        if (pairs.delete(pair)) for (const one of pair) one.destroy();
      });
    }
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const proxied = { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) };
  return {
    url: Object.assign(new URL(storeUrl), proxied).href,
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
