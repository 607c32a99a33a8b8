import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** `delayMs`: waits before each response. `keeps`: what it remembers of each request. */
export type SinkOptions = { delayMs?: number; keeps?: 'ids' | 'events' };

/** What the receiver has got: requests in all, and when the newest came (Unix ms). */
export type SinkCount = { count: number; newestAt: number };

/** How many requests came with each `<path> <webhook-id>`. */
export type SinkIds = { ids: [string, number][] };

/** An event as its body says, and when it came (Unix ms), each time. `taskId`: of events about a task. */
export type ReceivedEvent = { id: string; type: string; taskId: string | undefined; times: number[] };
export type SinkEvents = { events: ReceivedEvent[] };

type Body = { event_id: string; event_type: string; data: { task_id?: string } };

// A receiver in a process of its own that takes everything. `port` first, then what each message asks for.
process.once('disconnect', () => process.exit(0));
process.once('message', ({ delayMs = 0, keeps }: SinkOptions) => {
  let count = 0;
  let newestAt = 0;
  const ids = new Map<string, number>();
  const events = new Map<string, ReceivedEvent>();
  const keepEvent = ({ event_id: id, event_type: type, data }: Body, at: number) => {
    const known = events.get(id);
    if (known) known.times.push(at);
    else events.set(id, { id, type, taskId: data.task_id, times: [at] });
  };
  const server = createServer((request, response) => {
    const received = keeps === 'events' ? json(request) : undefined;
    if (!received) request.resume();
    request.once('end', () => {
      count += 1;
      const at = (newestAt = Date.now());
      void received?.then((body) => keepEvent(body as Body, at));
      const id = `${request.url} ${String(request.headers['webhook-id'])}`;
      if (keeps === 'ids') ids.set(id, (ids.get(id) ?? 0) + 1);
      const respond = () => void response.writeHead(200, { 'content-length': '0' }).end();
      if (delayMs > 0) setTimeout(respond, delayMs);
      else respond();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  const replies = {
    count: (): SinkCount => ({ count, newestAt }),
    ids: (): SinkIds => ({ ids: [...ids] }),
    events: (): SinkEvents => ({ events: [...events.values()] }),
  };
  process.on('message', (asked: keyof typeof replies) => process.send?.(replies[asked]()));
});
