import { setTimeout as sleep } from 'node:timers/promises';
import { clearTables } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { quantile, say, table } from '../harness/report.ts';
import { createPlatformIntegration } from '../inbound/platform-integration.ts';
import { countReceived, waitUntilApplied } from '../inbound/received.ts';
import { type SendChanges, sendChanges, type SentChanges } from '../inbound/send-changes.ts';

const count = Number(process.env['BENCH_EVENTS'] ?? 10_000);
const connections = 64;
/** What a sender does that was asked to retry later. */
const retryMs = 100;
const stoppedMs = 20_000;
/** Postgres goes while changes come at this rate. */
const perSecond = 400;

export const scenario: Scenario = {
  name: 'inbound-burst',
  about: `${count} signed webhooks as fast as ${connections} connections go, and ${perSecond} a second while Postgres is stopped for ${stoppedMs / 1_000} s: none lost`,
  async run(bench) {
    const { apps } = bench;
    const integration = await createPlatformIntegration(apps);
    const [receiver] = await apps.startAll(['webhook-receiver', 'workflow-orchestrator']);
    if (!receiver) throw new Error('the receiver did not start');
    const load = { url: receiver.url, integration, at: Date.now(), count, connections, retryMs };
    await sendChanges({ ...load, run: 'warm', count: 500 });
    await waitUntilApplied(bench);
    const results = [
      ['burst', await sendChanges({ ...load, run: 'burst' })] as const,
      ...(await sendThroughOutage(bench, { ...load, run: 'outage', everyMs: 1_000 / perSecond })),
    ];
    await waitUntilApplied(bench);
    const rows = [];
    for (const [name, result] of results) rows.push(await checkRun(bench, name, result));
    table([['', 'accepted', 'seconds', 'p50 ms', 'p99 ms', 'receipts', 'applied', 'tasks', ''], ...rows]);
    if (rows.some((row) => row.at(-1) !== 'ok')) process.exitCode = 1;
    await apps.stopAll();
    await clearTables(bench);
  },
};

async function sendThroughOutage({ stores }: Bench, changes: SendChanges) {
  if (!stores.restartPostgres) {
    say('  DATABASE_URL names the Postgres: it is not stopped');
    return [];
  }
  const sending = sendChanges(changes);
  await sleep(3_000);
  await stores.restartPostgres({ whileStopped: () => sleep(stoppedMs) });
  return [['outage', await sending] as const];
}

async function checkRun(bench: Bench, name: string, { sent, seconds, statuses, unnamed }: SentChanges) {
  say(`  ${name}: responses ${JSON.stringify(statuses)}`);
  const { receipts, applied, tasks, doubled } = await countReceived(bench, `${name}-`);
  const others = Object.keys(statuses).filter((status) => status !== '200' && status !== '503');
  const problems = [
    ...(others.length > 0 ? [`other than 200 and 503: ${others.join(', ')}`] : []),
    ...(unnamed > 0 ? [`${unnamed} without Retry-After`] : []),
    ...(applied < sent.length || tasks < sent.length ? ['LOST'] : []),
    ...(doubled > 0 || receipts > count || tasks > count ? ['DOUBLED'] : []),
  ];
  const times = sent.map(({ tookMs }) => tookMs);
  const numbers = [quantile(times, 0.5), quantile(times, 0.99), receipts, applied, tasks];
  return [name, sent.length, seconds, ...numbers, problems.length > 0 ? problems.join('; ') : 'ok'];
}
