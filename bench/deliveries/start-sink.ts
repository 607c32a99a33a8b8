import { nextMessage, startChild } from '../harness/child-task.ts';
import type { SinkCount } from './sink.ts';

export type Sink = { url: string; count(): Promise<SinkCount>; stop(): void };

/** A receiver in a process of its own: its processor time is not that of the service. */
export async function startSink(): Promise<Sink> {
  const child = startChild('../deliveries/sink.ts', {});
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    count() {
      child.send({});
      return nextMessage<SinkCount>(child);
    },
    stop: () => void child.kill(),
  };
}
