import { setTimeout as sleep } from 'node:timers/promises';
import { nextMessage, startChild } from '../harness/child-task.ts';
import type { ReceivedEvent, SinkCount, SinkEvents, SinkIds, SinkOptions } from './sink.ts';

export type Sink = {
  url: string;
  count(): Promise<SinkCount>;
  /** Requests by `<path> <webhook-id>`, where it keeps ids. */
  ids(): Promise<Map<string, number>>;
  /** Where it keeps events. */
  events(): Promise<ReceivedEvent[]>;
  stop(): void;
};

/** A receiver in a process of its own: its processor time is not that of the service. */
export async function startSink(options: SinkOptions = {}): Promise<Sink> {
  const child = startChild('../deliveries/sink.ts', options);
  const { port } = await nextMessage<{ port: number }>(child);
  const ask = <Reply>(what: 'count' | 'ids' | 'events') => {
    child.send(what);
    return nextMessage<Reply>(child);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => ask<SinkCount>('count'),
    ids: async () => new Map((await ask<SinkIds>('ids')).ids),
    events: async () => (await ask<SinkEvents>('events')).events,
    stop: () => void child.kill(),
  };
}

const patienceMs = 300_000;

/** Waits until the sink has received this number. */
export async function receivedBy(sink: Sink, expected: number): Promise<SinkCount> {
  for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await sleep(100)) {
    const now = await sink.count();
    if (now.count >= expected) return now;
  }
  throw new Error(`the receiver has ${(await sink.count()).count} of ${expected} deliveries after ${patienceMs} ms`);
}
