import { createHmac, randomUUID } from 'node:crypto';
import { anyOf, endMs, oneIn, pause, taken, type World } from './world.ts';

const secret = 'the secret of the stress';

/** The final state of the platform's tasks: ours must equal it once everything is applied. */
export type PlatformTruth = { deleted: Set<string>; names: Map<string, string> };

/** Connects a platform, then sends the histories of its tasks, each in any order and some of it twice. */
export async function livePlatform(world: World, baseUrls: readonly string[]): Promise<PlatformTruth> {
  const truth: PlatformTruth = { deleted: new Set(), names: new Map() };
  const body = { type: 'taskplatform', secret, webhook_id: 'stress' };
  taken(world, 'connect', await world.client.post('/v1/integrations', body));
  const senders = Array.from({ length: 3 }, async () => {
    while (world.phase === 'wild') {
      await sendHistory(world, baseUrls, truth);
      await pause(100 + Math.random() * 200);
    }
  });
  await Promise.all(senders);
  return truth;
}

async function sendHistory(world: World, baseUrls: readonly string[], truth: PlatformTruth): Promise<void> {
  const id = randomUUID();
  const startedAt = Date.now() - 60_000;
  const renames = Array.from({ length: 1 + Math.floor(Math.random() * 4) }, (_, number) => ({
    event: 'taskUpdated',
    history_items: [{ id: randomUUID(), field: 'name', date: String(startedAt + number + 1), after: `name ${number}` }],
  }));
  const tags = [
    { id: randomUUID(), field: 'tag', date: String(startedAt + 9), after: [{ name: 'from the platform' }] },
  ];
  const isDeleted = oneIn(3);
  const events = [
    { event: 'taskCreated', history_items: [{ id: randomUUID(), field: 'status', date: String(startedAt) }] },
    ...renames,
    ...(oneIn(2) ? [{ event: 'taskTagUpdated', history_items: tags }] : []),
    ...(isDeleted ? [{ event: 'taskDeleted' }] : []),
  ].toSorted(() => Math.random() - 0.5);
  if (isDeleted) truth.deleted.add(id);
  else truth.names.set(id, `name ${renames.length - 1}`);
  await Promise.all(events.map((event) => send(world, baseUrls, { ...event, task_id: id, webhook_id: 'stress' })));
  // The platform repeats what it was not sure of.
  const repeated = anyOf(events);
  if (repeated && oneIn(3)) await send(world, baseUrls, { ...repeated, task_id: id, webhook_id: 'stress' });
}

/** Sends until it is acknowledged, as the platform does. */
async function send({ counts, violations }: World, baseUrls: readonly string[], body: object): Promise<void> {
  const text = JSON.stringify(body);
  const headers = { 'x-signature': createHmac('sha256', secret).update(text).digest('hex') };
  for (const deadline = performance.now() + endMs; performance.now() < deadline; await pause(200)) {
    const url = `${anyOf(baseUrls)}/webhook/taskplatform`;
    const response = await fetch(url, { method: 'POST', headers, body: text }).catch(() => undefined);
    const status = response?.status ?? 0;
    await response?.arrayBuffer().catch(() => {});
    counts[`inbound ${status}`] = (counts[`inbound ${status}`] ?? 0) + 1;
    if (status === 200) return;
    // Just connected, another receiver's cache may not know the integration for two seconds.
    if (status !== 0 && status < 500 && status !== 403) violations.push(`inbound: ${status}`);
  }
  violations.push('an inbound event was never acknowledged');
}
