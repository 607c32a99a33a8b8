import { clearTables } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { quantile, say, table } from '../harness/report.ts';
import { createPlatformIntegration } from '../inbound/platform-integration.ts';
import { waitUntilApplied } from '../inbound/received.ts';
import { type SendChanges, sendChanges, type SentChanges } from '../inbound/send-changes.ts';

const perSecond = Number(process.env['BENCH_RATE'] ?? 200);
const idlePerSecond = 20;
const seconds = 15;

export const scenario: Scenario = {
  name: 'inbound-latency',
  about: `signed POST → the task's change is committed: ${idlePerSecond} and ${perSecond} a second`,
  async run(bench) {
    const { apps, stores } = bench;
    if (!stores.restartPostgres) return say('  left out: Postgres has to be restarted to keep times of commits');
    await stores.database.db.query('ALTER SYSTEM SET track_commit_timestamp = on');
    await stores.restartPostgres();
    const integration = await createPlatformIntegration(apps);
    const [receiver] = await apps.startAll(['webhook-receiver', 'workflow-orchestrator']);
    if (!receiver) throw new Error('the receiver did not start');
    await measure(bench, { url: receiver.url, integration, at: Date.now(), connections: 64 });
    await apps.stopAll();
    await stores.database.db.query('ALTER SYSTEM RESET track_commit_timestamp');
    await stores.restartPostgres();
    await clearTables(bench);
  },
};

async function measure(bench: Bench, load: Omit<SendChanges, 'run' | 'count'>): Promise<void> {
  await sendChanges({ ...load, run: 'warm', count: 2_000 });
  await waitUntilApplied(bench);
  await bench.stores.database.db.query('ANALYZE');
  const rows = [];
  for (const rate of [idlePerSecond, perSecond]) {
    const paced = { ...load, run: `rate${rate}`, count: rate * seconds, everyMs: 1_000 / rate };
    // The first makes the tasks, the second changes them.
    for (const [what, at] of [['new tasks', load.at] as const, ['known tasks', load.at + 1_000] as const]) {
      const since = Date.now();
      const result = await sendChanges({ ...paced, at });
      await waitUntilApplied(bench);
      rows.push(...(await rowsOf(bench, `${rate} a second, ${what}`, result, since)));
    }
  }
  table([['', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms', 'samples'], ...rows]);
}

const committedSql = `
  SELECT external_id AS "taskId", 1000 * extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 AS at
  FROM inbound_events WHERE status = 'applied' AND received_at >= to_timestamp($1::float8 / 1000)`;

async function rowsOf({ stores }: Bench, name: string, { sent, statuses }: SentChanges, since: number) {
  const rows = await stores.database.db.query<{ taskId: string; at: number }>(committedSql, [since]);
  const committed = new Map(rows.map(({ taskId, at }) => [taskId, at]));
  const known = sent.flatMap((one) => ({ ...one, at: committed.get(one.taskId) ?? NaN }));
  const missing = known.filter(({ at }) => Number.isNaN(at)).length;
  if (missing > 0 || Object.keys(statuses).length > 1) {
    say(`  ${name}: FAILED, ${missing} not applied, responses ${JSON.stringify(statuses)}`);
    process.exitCode = 1;
  }
  const row = (what: string, times: number[]) => [
    `${name}: ${what}`,
    ...[0.5, 0.9, 0.99, 1].map((share) => quantile(times, share)),
    times.length,
  ];
  return [
    row(
      'from the request to the 200',
      sent.map(({ tookMs }) => tookMs),
    ),
    row(
      'from the 200 to the commit',
      known.map(({ at, acceptedAt }) => Math.max(0, at - acceptedAt)),
    ),
    row(
      'from the request to the commit',
      known.map(({ at, sentAt }) => at - sentAt),
    ),
  ];
}
