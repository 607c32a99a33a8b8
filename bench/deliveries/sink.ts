import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receiver has got: requests in all, and when the newest came (Unix ms). */
export type SinkCount = { count: number; newestAt: number };

// A receiver in a process of its own: takes everything, keeps nothing. `port` first, then the count for each message.
let count = 0;
let newestAt = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    count += 1;
    newestAt = Date.now();
    response.writeHead(200, { 'content-length': '0' }).end();
  });
});
server.keepAliveTimeout = 60_000;
process.once('disconnect', () => process.exit(0));
process.once('message', () => {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => process.send?.({ count, newestAt } satisfies SinkCount));
});
