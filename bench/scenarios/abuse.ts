import type { ChildProcess } from 'node:child_process';
import { type Attack, notAllowed } from '../abuse/attacks/attack.ts';
import type { AttackMessage } from '../abuse/attacker.ts';
import { attacks } from '../abuse/attacks/index.ts';
import { makeWellBehaved } from '../abuse/well-behaved-tenant.ts';
import { type WellBehavedResult, startWellBehavedLoad } from '../abuse/well-behaved-load.ts';
import { makeTenantKeys } from '../abuse/tenant-keys.ts';
import { workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';
import { pssMegabytes } from '../harness/memory.ts';
import { quantile, say, table } from '../harness/report.ts';

/** Comma-separated; all unless set. */
const only = process.env['ABUSE_ONLY']?.split(',');
/** Maximum ratio of the well-behaved tenant's p99 under attack to its idle p99. */
const maxRatio = 3;
/** Unset: slow responses are only reported, because shared machines vary. */
const isTimed = process.env['ABUSE_TIMED'] === 'true';
const perSecond = 25;
/** The rate limit for two cores: this number of changing calls uses half of them. */
const perMinute = 1_500;
/** Shorter rounds do not judge times: a tenth of the data is enough for them. */
const shortSeconds = 5;
/** Pending rows of an attack must be processed within this time. */
const drainSeconds = 60;

type WellBehaved = Awaited<ReturnType<typeof makeWellBehaved>>;

export const scenario: Scenario = {
  name: 'abuse',
  about: `a well-behaved tenant at ${perSecond} calls a second while another one attacks, one attack after the other`,
  async run(bench) {
    const { apps, options } = bench;
    const limits = { BOOTSTRAP_RATE_LIMIT: String(perMinute), TENANT_RATE_LIMIT: String(perMinute) };
    const receiver = await apps.start('webhook-receiver', limits);
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps], { ...limits, RECEIVER_URL: receiver.url });
    if (!gateway) throw new Error('the gateway did not start');
    const tenant = await makeWellBehaved(bench, gateway.url, { perSecond, perMinute });
    const warmUp = await measure(tenant, Math.min(options.roundSeconds, 5));
    const endured: Endured[] = [];
    for (const attack of attacks.filter(({ name }) => !only || only.includes(name)))
      endured.push(await endure(bench, tenant, gateway.url, attack));
    tenant.close();
    const failed = report(endured, warmUp);
    await apps.stopAll();
    await clearTables(bench);
    console.log(`${endured.length - failed} passed, ${failed} failed, 0 skipped`);
    if (failed > 0) process.exitCode = 1;
  },
};

/** `begin` is called when the measurement starts, and starts the attack. */
async function measure(tenant: WellBehaved, seconds: number, begin = () => {}) {
  const load = await startWellBehavedLoad({ ...tenant.load, seconds });
  tenant.startRound();
  begin();
  return load.run();
}

/** The result of one attack; `idleMs`, `onsetMs`, `attackedMs`: times of normal calls before, at first and then. */
type Endured = {
  attack: Attack;
  idleMs: readonly number[];
  onsetMs: readonly number[];
  attackedMs: readonly number[];
  /** From step to step of a run, before and under the attack. */
  idleStepsMs: readonly number[];
  stepsMs: readonly number[];
  webhooksP99Ms: number;
  largestMb: number;
  findings: readonly string[];
};

/** Compares with all idle rounds together: the slowest 1 % of one round is only a few calls. */
function report(endured: readonly Endured[], warmUp: WellBehavedResult): number {
  const idleMs = endured.flatMap((one) => one.idleMs);
  const idleP99Ms = quantile(isTimed ? idleMs : warmUp.timesMs, 0.99);
  const idleStepsP99Ms = quantile(isTimed ? endured.flatMap((one) => one.idleStepsMs) : warmUp.stepsMs, 0.99);
  let failed = 0;
  const rows = endured.map(({ attack, onsetMs, attackedMs, stepsMs, webhooksP99Ms, largestMb, findings }) => {
    const p99Ms = quantile([...attackedMs], 0.99);
    const ratio = p99Ms / idleP99Ms;
    const stepsP99Ms = quantile([...stepsMs], 0.99);
    const stepsRatio = stepsP99Ms / idleStepsP99Ms;
    const tooSlow = isTimed && !(ratio <= maxRatio) ? [`p99 ${ratio.toFixed(1)} times the idle one`] : [];
    const late = isTimed && !(stepsRatio <= maxRatio) ? [`steps p99 ${stepsRatio.toFixed(1)} times the idle one`] : [];
    const all = [...findings, ...tooSlow, ...late];
    for (const finding of all) say(`  ${attack.name}: ${finding}`);
    if (all.length > 0) failed += 1;
    const onsetP99Ms = quantile([...onsetMs], 0.99);
    const verdict = all.length === 0 ? 'ok' : 'FAILED';
    return [attack.name, onsetP99Ms, p99Ms, ratio, stepsP99Ms, stepsRatio, webhooksP99Ms, largestMb, verdict];
  });
  say(
    `  p99 of the well-behaved tenant without an attack: ${idleP99Ms.toFixed(1)} ms, from step to step ${idleStepsP99Ms.toFixed(1)} ms`,
  );
  const heads = [
    'attack',
    'first 2 s ms',
    'p99 ms',
    'ratio',
    'steps p99 ms',
    'ratio',
    'webhooks p99 ms',
    'largest app MB',
  ];
  table([[...heads, 'verdict'], ...rows]);
  return failed;
}

async function endure(bench: Bench, tenant: WellBehaved, url: string, attack: Attack): Promise<Endured> {
  const { apps, options } = bench;
  say(`  ${attack.name}: ${attack.about}`);
  const { tenantId, keys: apiKeys } = await makeTenantKeys(bench, attack.name);
  await attack.fill?.(bench.stores.database.db, tenantId, options.roundSeconds < shortSeconds ? 0.1 : 1);
  const attacker = startChild('../abuse/attacker.ts', { name: attack.name, url, apiKeys });
  const findings: string[] = [];
  try {
    const ready = await messageOf(attacker);
    if (!('ready' in ready)) throw new Error(`the attack could not be prepared: ${JSON.stringify(ready)}`);
    await drainBacklog(bench, drainSeconds);
    const idle = isTimed ? await measure(tenant, options.roundSeconds) : undefined;
    const attacked = await measure(tenant, options.roundSeconds, () => void attacker.send('go'));
    const webhooksP99Ms = tenant.webhooksP99Ms();
    const ended = messageOf(attacker);
    attacker.send('stop');
    const message = await ended;
    findings.push(
      ...wrongStatuses(attack, message),
      ...Object.entries(attacked.errors).map(([what, n]) => `well-behaved: ${what} (${n})`),
    );
    const { pending, dead } = await drainBacklog(bench, drainSeconds);
    if (pending > 0) findings.push(`${pending} outbox rows are still pending ${drainSeconds} s later`);
    if (dead > 0) say(`  ${attack.name}: ${dead} outbox rows are dead`);
    for (const app of apps.running()) if (app.hasEnded()) findings.push(`${app.name} has ended`);
    const largestMb = Math.max(...apps.running().map(({ pid }) => pssMegabytes(pid)));
    const { onsetMs, timesMs: attackedMs, stepsMs } = attacked;
    const [idleMs, idleStepsMs] = [idle?.timesMs ?? [], idle?.stepsMs ?? []];
    return { attack, idleMs, onsetMs, attackedMs, idleStepsMs, stepsMs, webhooksP99Ms, largestMb, findings };
  } finally {
    attacker.kill('SIGKILL');
  }
}

function wrongStatuses(attack: Attack, message: AttackMessage): string[] {
  if (!('statuses' in message)) return [`the attack broke: ${JSON.stringify(message)}`];
  say(`    ${JSON.stringify(message.statuses)}`);
  return notAllowed(attack, message.statuses).map(
    ([status, count]) => `${count} times ${status}, which is none of ${attack.allowed.join(', ')}`,
  );
}

const messageOf = (attacker: ChildProcess): Promise<AttackMessage> =>
  nextMessage<AttackMessage>(attacker).catch((error: unknown) => ({ failed: String(error) }));
