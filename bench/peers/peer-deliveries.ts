import { postEvents } from '../deliveries/publish.ts';
import { receivedBy, type Sink } from '../deliveries/start-sink.ts';
import { say } from '../harness/report.ts';
import { expectClean, failuresIn } from '../harness/rounds.ts';
import type { WebhookPeer } from './webhook-peer.ts';

export type PeerDeliveries = { endpoints: number; events: number; bytes: number; connections: number };

/** Registers endpoints with another product. Each call then measures the deliveries a second of events that are created by POST. */
export async function openPeerDeliveries(
  { name, open }: WebhookPeer,
  sink: Sink,
  { endpoints, events, bytes, connections }: PeerDeliveries,
): Promise<() => Promise<number>> {
  const receivers = Array.from({ length: endpoints }, (_, number) => `${sink.url}/${name}/${number}`);
  const publish = await open(receivers, bytes);
  const deliver = async (count: number) => {
    const { count: before } = await sink.count();
    const startedAt = Date.now();
    const { seconds, statuses } = await postEvents({ ...publish, connections, count });
    expectClean(name, { errors: failuresIn(statuses) });
    const { newestAt } = await receivedBy(sink, before + count * endpoints);
    return { postedPerSecond: count / seconds, perSecond: (count * endpoints) / ((newestAt - startedAt) / 1_000) };
  };
  const count = Math.ceil(events / endpoints);
  return async () => {
    await deliver(Math.ceil(count / 10));
    const { postedPerSecond, perSecond } = await deliver(count);
    say(`  ${name}, endpoints: ${endpoints}, events created a second: ${Math.round(postedPerSecond)}`);
    return perSecond;
  };
}
