import { setTimeout as sleep } from 'node:timers/promises';
import { startSink } from '../deliveries/start-sink.ts';
import { startAttacks } from '../failures/attacks-beside.ts';
import { audit, type AuditInput, type Finding, finding } from '../failures/audit.ts';
import type { Fault } from '../failures/faults/fault.ts';
import { faults } from '../failures/faults/index.ts';
import { type Growth, watchMemory } from '../failures/memory-growth.ts';
import { type Journal, type MixedLoad, startMixedLoad } from '../failures/mixed-load.ts';
import { startSystem, type System } from '../failures/system.ts';
import { clearTables, countBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { sayMemory } from '../harness/beside-limit.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { postJson } from '../harness/post-json.ts';
import { say, table } from '../harness/report.ts';

/** Comma-separated beginnings of names; all unless set. */
const only = process.env['FAILURES_ONLY']?.split(',');
const perSecond = Number(process.env['FAILURES_RATE'] ?? 40);
const agentCount = Number(process.env['FAILURES_AGENTS'] ?? 12);
/** `no`: the load is alone, to find out how much of it the machine can do. */
const hasAttacks = process.env['FAILURES_ATTACKS'] !== 'no';
const role = 'failures';
/** What a tenant may do: agents ask three times for each task. */
const perMinute = perSecond * 5 * 60;
/** An attack goes on for so long, or as long as a fault if that is shorter. */
const attackSeconds = 20;
const warmUpSeconds = 60;
/** Faults that last so many seconds are long enough to hold the run to the limits below. */
const longSeconds = 300;
const maxErrorShare = 0.005;
const maxGrowth = 0.1;
const settings = {
  TENANT_RATE_LIMIT: String(perMinute),
  LEASE_SECONDS: '20',
  WEBHOOK_RETRY_SCHEDULE: '1,2,4,8,8,8,8,8,8,8,8,8,8,8,8,8',
  DB_POOL: '6',
};
/** By then everything that was acknowledged has to be done. */
const settleMs = 180_000;

export const scenario: Scenario = {
  name: 'failures',
  about: `${perSecond} requests a second and ${agentCount} agents, two processes of each app, another tenant that attacks, one fault after the other: what clients were told stands`,
  async run(bench) {
    const chosen = chooseFaults(bench);
    const system = await startSystem(bench, settings);
    const sink = await startSink({ keepsIds: true });
    const load = await prepareLoad(system, sink.url);
    const { roundSeconds } = bench.options;
    await sleep(Math.min(warmUpSeconds, roundSeconds / 4) * 1_000);
    const memory = await watchMemory(system.processes);
    const attacked = system.urlsOf('api-gateway').at(-1) ?? '';
    const attacks = hasAttacks ? startAttacks(bench, attacked, Math.min(attackSeconds, roundSeconds)) : undefined;
    try {
      for (const { name, strike } of chosen) {
        say(`  ${name}`);
        const [before, startedAt] = [await load.journal(), performance.now()];
        await strike(system, roundSeconds);
        sayOutcome(before, await load.journal(), (performance.now() - startedAt) / 1_000);
      }
      sayMemory(bench);
      const counts = await attacks?.stop();
      if (counts) say(`  ${counts.made} attacks, ${counts.notMade} that could not be made`);
      load.stopMaking();
      const tenantId = await tenantOf(bench);
      const settled = await settle(bench, load, tenantId);
      say(`  settled after ${settled.toFixed(1)} s`);
      // Only now: what load and attacks send is held while it is on its way.
      const growths = await memory.finish();
      sayGrowths(growths);
      const journal = await load.journal();
      load.end();
      const faultsOfRun = chosen.length * system.processes.length;
      const findings = await audit({ bench, journal, sink, tenantId, faults: faultsOfRun } satisfies AuditInput);
      report(journal, roundSeconds < longSeconds ? findings : [...findings, ...judge(journal, growths)]);
    } finally {
      memory.stop();
      await attacks?.stop();
      load.end();
      sink.stop();
      await system.close();
      await clearTables(bench);
    }
  },
};

function chooseFaults({ stores: { backend } }: Bench): Fault[] {
  const ofBackend = faults.filter(({ backends }) => backends.includes(backend));
  const chosen = only
    ? ofBackend.filter(({ name }) => only.some((beginning) => name.startsWith(beginning)))
    : ofBackend.filter(({ isOnRequest }) => !isOnRequest);
  if (chosen.length > 0) return chosen;
  const names = ofBackend.map(({ name }) => `"${name}"`).join(', ');
  throw new Error(`FAILURES_ONLY names no fault of ${backend}: ${names}`);
}

async function tenantOf({ stores }: Bench): Promise<string> {
  const [row] = await stores.database.db.query<{ id: string }>(`SELECT id FROM tenants WHERE slug = 'default'`);
  if (!row) throw new Error('there is no default tenant');
  return row.id;
}

async function prepareLoad(system: System, sinkUrl: string): Promise<MixedLoad> {
  const { apiKey } = system.bench.apps;
  const [gateways, receivers] = [system.urlsOf('api-gateway'), system.urlsOf('webhook-receiver')];
  const url = gateways[0] ?? '';
  const post = (path: string, body: object) => postJson(`${url}${path}`, apiKey, body);
  await post('/v1/webhooks', {
    url: `${sinkUrl}/all`,
    events: ['task.created', 'task.completed'],
    secret: 'the secret of the failures',
  });
  const integration = { webhookId: 'failures', secret: 'the secret of the failures' };
  await post('/v1/integrations', {
    type: 'taskplatform',
    webhook_id: integration.webhookId,
    secret: integration.secret,
  });
  const step = (id: string, needs: string[]) => ({
    id,
    name: id,
    role,
    needs,
    timeout: 3_600,
    task: { title: `{{run.name}} ${id}`, description: 'To be done.' },
  });
  const steps = [step('first', []), step('second', ['first'])];
  const workflow = await post('/v1/workflows', {
    name: 'Failures',
    description: 'Two steps.',
    estimated_duration: 'no time',
    steps,
  });
  const agents = await makeAgents(url, apiKey, role, agentCount, perMinute);
  const workflowId = String(workflow['id']);
  return startMixedLoad({ gateways, receivers, apiKey, agents, integration, workflowId, perSecond });
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

function sayOutcome(before: Journal, after: Journal, seconds: number): void {
  const requests = after.requests - before.requests;
  const errors = sum(after.errors) - sum(before.errors);
  const completed = (after.completions.length - before.completions.length) / seconds;
  say(
    `    ${requests} requests, ${errors} errors (${percent(errors, requests)} %), ${completed.toFixed(0)} tasks completed a second`,
  );
}

/** Seconds until nothing is left to be done, or all the time that there is for it. */
async function settle(bench: Bench, load: MixedLoad, tenantId: string): Promise<number> {
  const startedAt = performance.now();
  const openSql = `
    SELECT (SELECT count(*)::int FROM tasks WHERE tenant_id = $1 AND status NOT IN ('completed', 'failed', 'cancelled'))
      + (SELECT count(*)::int FROM workflow_runs WHERE tenant_id = $1 AND finished_at IS NULL)
      + (SELECT count(*)::int FROM deliveries WHERE tenant_id = $1 AND status = 'pending') AS open`;
  let last = '';
  while (performance.now() - startedAt < settleMs) {
    const [row] = await bench.stores.database.db.query<{ open: number }>(openSql, [tenantId]);
    const { requests, completions } = await load.journal();
    const now = `${completions.length}`;
    if (row?.open === 0 && (await countBacklog(bench)).owed === 0 && now === last) break;
    last = now;
    await sleep(requests > 0 ? 1_000 : 0);
  }
  return (performance.now() - startedAt) / 1_000;
}

function sayGrowths(growths: readonly Growth[]): void {
  const cells = ({ warmMb, endMb }: Growth['live']) => [warmMb, endMb, `${percent(endMb - warmMb, warmMb)} %`];
  const head = ['lived through it', 'live MB after warm-up', 'at the end', 'growth', 'all MB', 'at the end', 'growth'];
  if (growths.length > 0)
    table([head, ...growths.map(({ name, live, total }) => [name, ...cells(live), ...cells(total)])]);
}

/** What only a long run can show. */
function judge({ requests, errors }: Journal, growths: readonly Growth[]): Finding[] {
  const failed = sum(errors);
  const grown = growths.filter(({ live: { warmMb, endMb } }) => !(endMb <= warmMb * (1 + maxGrowth)));
  return [
    finding(
      `errors are under ${maxErrorShare * 100} % of the requests (${percent(failed, requests)} %)`,
      requests,
      failed < requests * maxErrorShare ? [] : Object.keys(errors),
    ),
    finding(
      `no process holds more than ${maxGrowth * 100} % more at the end than after its warm-up`,
      growths.length,
      grown.map(({ name }) => name),
    ),
  ];
}

const percent = (part: number, whole: number): string => ((part * 100) / whole).toFixed(2);

function report(journal: Journal, findings: readonly Finding[]): void {
  const { requests, errors, refusals, givenUp } = journal;
  say(
    `  ${requests} requests, ${givenUp} given up; errors ${JSON.stringify(errors)}; refused ${JSON.stringify(refusals)}`,
  );
  const rows = findings.map(({ what, of, wrong, example = '' }) => [what, of, wrong, example]);
  table([['', 'of', 'wrong', 'for example'], ...rows]);
  const failed = findings.filter(({ wrong }) => wrong > 0).length;
  say(`${findings.length - failed} passed, ${failed} failed, 0 skipped`);
  if (failed > 0) process.exitCode = 1;
}
