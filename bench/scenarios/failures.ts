import { setTimeout as sleep } from 'node:timers/promises';
import { type Sink, startSink } from '../deliveries/start-sink.ts';
import { type AttackReport, startAttacks } from '../failures/concurrent-attacks.ts';
import { audit } from '../failures/audit/audit.ts';
import { readFacts } from '../failures/audit/facts.ts';
import { type Finding, finding } from '../failures/audit/finding.ts';
import { chooseFaults } from '../failures/choose-faults.ts';
import { auditGrowth, growthRows, watchMemory } from '../failures/memory-growth.ts';
import type { MixedLoad } from '../failures/clients/mixed-load.ts';
import { auditErrors, isMeasure, type Phase, rowsOf, strike } from '../failures/phase.ts';
import { poolSize } from '../failures/system/pool-size.ts';
import { prepareLoad } from '../failures/clients/prepare-load.ts';
import { startSystem, type System } from '../failures/system/system.ts';
import { clearTables, countBacklog, listPending } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { sayMemory } from '../harness/against-limit.ts';
import { say, table } from '../harness/report.ts';

const perSecond = Number(process.env['FAILURES_RATE'] ?? 40);
const agentCount = Number(process.env['FAILURES_AGENTS'] ?? 12);
/** `no`: the load runs alone, to find out how much of it the machine can do. */
const hasAttacks = process.env['FAILURES_ATTACKS'] !== 'no';
/** What a tenant may do: agents ask three times for each task. */
const perMinute = perSecond * 5 * 60;
/** The duration of an attack, unless the fault is shorter. */
const attackSeconds = 20;
const warmUpSeconds = 60;
const leaseSeconds = 20;
const settings = {
  TENANT_RATE_LIMIT: String(perMinute),
  LEASE_SECONDS: String(leaseSeconds),
  WEBHOOK_RETRY_SCHEDULE: '1,2,4,8,8,8,8,8,8,8,8,8,8,8,8,8',
  DB_POOL: String(poolSize),
};
/** Work that makes no progress for this long hangs. */
const stuckMs = 90_000;

export const scenario: Scenario = {
  name: 'failures',
  about: `${perSecond} requests a second and ${agentCount} agents, two processes of each app, another tenant that attacks, one fault after the other: every acknowledged change is kept`,
  async run(bench) {
    const { roundSeconds } = bench.options;
    const { faults, skipped } = chooseFaults(bench.stores.backend);
    const system = await startSystem(bench, settings);
    const sink = await startSink({ keeps: 'events' });
    const load = await prepareLoad(system, { sinkUrl: sink.url, perSecond, agentCount, perMinute });
    await sleep(Math.min(warmUpSeconds, roundSeconds / 4) * 1_000);
    const memory = await watchMemory(system.processes);
    const attacked = system.urlsOf('api-gateway').at(-1) ?? '';
    const attacks = hasAttacks ? startAttacks(bench, attacked, Math.min(attackSeconds, roundSeconds)) : undefined;
    try {
      const phases: Phase[] = [];
      for (const fault of faults) phases.push(await strike(fault, system, load, roundSeconds));
      table(rowsOf(phases));
      sayMemory(bench);
      const attackReport = await attacks?.stop();
      const findings = await auditRun({ bench, system, load, sink, phases });
      // Only now: what load and attacks send is held while it is on its way.
      const growths = await memory.finish();
      if (growths.length > 0) table(growthRows(growths));
      findings.push(
        ...phases.flatMap((phase) => phase.findings),
        ...auditAttacks(attackReport),
        ...auditErrors(phases),
      );
      if (phases.some(isMeasure)) findings.push(auditGrowth(growths));
      report(findings, skipped);
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

type Run = { bench: Bench; system: System; load: MixedLoad; sink: Sink; phases: readonly Phase[] };

/** Waits until everything is done, and compares the acknowledged changes with the stored data. */
async function auditRun({ bench, system, load, sink, phases }: Run): Promise<Finding[]> {
  load.stopMaking();
  const tenantId = await tenantOf(bench);
  say(`  settled after ${(await settle(bench, load, tenantId)).toFixed(1)} s`);
  const [journal, counts] = [await load.journal(), await load.counts()];
  const { requests, givenUp, errors, refusals } = counts;
  say(
    `  ${requests} requests, ${givenUp} given up; errors ${JSON.stringify(errors)}; refused ${JSON.stringify(refusals)}`,
  );
  return audit({
    journal,
    counts,
    facts: await readFacts(bench, tenantId, sink),
    faults: phases.filter(({ fault }) => !fault.isOnRequest),
    cuts: [...system.dispatcherKills, ...phases.filter(({ fault }) => fault.isCut)],
    leaseSeconds,
  });
}

async function tenantOf({ stores }: Bench): Promise<string> {
  const [row] = await stores.database.db.query<{ id: string }>(`SELECT id FROM tenants WHERE slug = 'default'`);
  if (!row) throw new Error('there is no default tenant');
  return row.id;
}

/** Seconds until nothing is left to be done, or no progress is made. */
async function settle(bench: Bench, load: MixedLoad, tenantId: string): Promise<number> {
  const startedAt = performance.now();
  const openSql = `
    SELECT (SELECT count(*)::int FROM tasks WHERE tenant_id = $1 AND status NOT IN ('completed', 'failed', 'cancelled'))
      + (SELECT count(*)::int FROM workflow_runs WHERE tenant_id = $1 AND finished_at IS NULL)
      + (SELECT count(*)::int FROM deliveries WHERE tenant_id = $1 AND status = 'pending') AS open`;
  let [last, least, lessAt] = [-1, Infinity, startedAt];
  for (; performance.now() - lessAt < stuckMs; await sleep(1_000)) {
    const [row] = await bench.stores.database.db.query<{ open: number }>(openSql, [tenantId]);
    const left = (row?.open ?? 0) + (await countBacklog(bench)).pending;
    const { completions } = await load.counts();
    if (left === 0 && completions === last) break;
    if (left < least) [least, lessAt] = [left, performance.now()];
    last = completions;
  }
  const pending = await listPending(bench);
  if (pending.length > 0) table([['pending', 'rows', 'in a queue', 'tries', 'last error'], ...pending]);
  return (performance.now() - startedAt) / 1_000;
}

function auditAttacks(attacks: AttackReport | undefined): Finding[] {
  if (!attacks) return [];
  const { made, notMade, wrong } = attacks;
  return [
    finding('attacks were made', made + notMade, made > 0 ? [] : ['none']),
    finding(`attacks got documented responses (${made} attacks, ${notMade} not made)`, made, wrong),
  ];
}

function report(findings: readonly Finding[], skipped: number): void {
  const rows = findings.map(({ what, of, wrong, example = '' }) => [what, of, wrong, example]);
  table([['', 'of', 'wrong', 'for example'], ...rows]);
  const failed = findings.filter(({ wrong }) => wrong > 0).length;
  say(`${findings.length - failed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0) process.exitCode = 1;
}
