import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `delayMs`: waits before each response. `keepsIds`: counts requests by path and `webhook-id`. */
export type SinkOptions = { delayMs?: number; keepsIds?: boolean };

/** What the receiver has got: requests in all, and when the newest came (Unix ms). */
export type SinkCount = { count: number; newestAt: number };

/** How many requests came with each `<path> <webhook-id>`. */
export type SinkIds = { ids: [string, number][] };

// A receiver in a process of its own that takes everything. `port` first, then what each message asks for.
process.once('disconnect', () => process.exit(0));
process.once('message', ({ delayMs = 0, keepsIds = false }: SinkOptions) => {
  let count = 0;
  let newestAt = 0;
  const ids = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      newestAt = Date.now();
      const id = `${request.url} ${String(request.headers['webhook-id'])}`;
      if (keepsIds) ids.set(id, (ids.get(id) ?? 0) + 1);
      const respond = () => void response.writeHead(200, { 'content-length': '0' }).end();
      if (delayMs > 0) setTimeout(respond, delayMs);
      else respond();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', (asked: 'count' | 'ids') =>
    process.send?.(asked === 'ids' ? ({ ids: [...ids] } satisfies SinkIds) : ({ count, newestAt } satisfies SinkCount)),
  );
});
