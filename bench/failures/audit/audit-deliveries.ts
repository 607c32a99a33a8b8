import type { Disruption } from '../system/disruption.ts';
import type { AuditInput } from './audit-input.ts';
import { type Finding, finding } from './finding.ts';

/** A delivery whose sending is not recorded so long after it was received is not going to be. */
const recordingMs = 5_000;

/** Every event reached the receiver, and came again only where that is explained. */
export function auditDeliveries(input: AuditInput): Finding[] {
  return [...auditRows(input), ...auditAcknowledged(input), auditRepeats(input)];
}

function auditRows({ facts: { events, deliveries, received } }: AuditInput): Finding[] {
  const rows = new Set(deliveries.map(({ id }) => id));
  const got = new Set(received.map(({ id }) => id));
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const without = (ids: ReadonlySet<string>, of: readonly { id: string }[]) =>
    of.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  return [
    finding('every event has a delivery', events.length, without(rows, events)),
    finding(
      'every delivery has ended well',
      deliveries.length,
      open.map(({ id, status }) => `${id} ${status}`),
    ),
    finding('the receiver got every delivery', deliveries.length, without(got, deliveries)),
  ];
}

function auditAcknowledged({ journal, facts: { received, links } }: AuditInput): Finding[] {
  const tasksOf = (type: string) =>
    new Set(received.filter((event) => event.type === type).map(({ taskId }) => taskId ?? ''));
  const [created, completed] = [tasksOf('task.created'), tasksOf('task.completed')];
  const linked = new Map(links.map(({ externalId, taskId }) => [externalId, taskId]));
  const ofReceipts = journal.receipts.map((id) => linked.get(id) ?? id);
  const made = [...journal.tasks.map(({ id }) => id), ...ofReceipts];
  const done = journal.completions.map(({ taskId }) => taskId);
  return [
    finding(
      'task.created of each acknowledged task was received',
      made.length,
      made.filter((id) => !created.has(id)),
    ),
    finding(
      'task.completed of each acknowledged completion was received',
      done.length,
      done.filter((id) => !completed.has(id)),
    ),
  ];
}

/** Once for each attempt that is recorded, and once more for each cut that came while it was on its way. */
function auditRepeats({ facts: { deliveries, received }, cuts }: AuditInput): Finding {
  const attempts = new Map(deliveries.map(({ id, attempts }) => [id, attempts]));
  const again = received.reduce((sum, { times }) => sum + times.length - 1, 0);
  const wrong = received.filter(({ id, times }) => times.length > (attempts.get(id) ?? 0) + cutsOf(times, cuts));
  return finding(
    `what it got again (${again}) is explained`,
    received.length,
    wrong.map(({ id, times }) => `${id} ${times.map((at) => new Date(at).toISOString()).join(' ')}`),
  );
}

/** Cuts that came when one of the requests, but the last, had just come. */
function cutsOf(times: readonly number[], cuts: readonly Disruption[]): number {
  const followed = times.slice(0, -1);
  return cuts.filter(({ from, to }) => followed.some((at) => at >= from - recordingMs && at <= to + recordingMs))
    .length;
}
