import type { ChildProcess } from 'node:child_process';
import { type Attack, notAllowed } from '../abuse/attacks/attack.ts';
import type { AttackMessage } from '../abuse/attacker.ts';
import { attacks } from '../abuse/attacks/index.ts';
import { makeHonest } from '../abuse/honest-tenant.ts';
import { type HonestResult, startHonestLoad } from '../abuse/honest-load.ts';
import { makeTenantKeys } from '../abuse/tenant-keys.ts';
import { workerApps } from '../harness/apps.ts';
import { clearTables, drainBacklog } from '../harness/backlog.ts';
import type { Bench, Scenario } from '../harness/bench.ts';
import { nextMessage, startChild } from '../harness/child-task.ts';
import { pssMegabytes } from '../harness/memory.ts';
import { quantile, say, table } from '../harness/report.ts';

/** Comma-separated; all unless set. */
const only = process.env['ABUSE_ONLY']?.split(',');
/** The honest tenant's p99 under attack may be so many times its idle one. */
const maxRatio = 3;
/** Unset: a slow response is only reported, not counted as failed; a machine that others use too decides nothing. */
const isTimed = process.env['ABUSE_TIMED'] === 'true';
const perSecond = 25;
/** The ceiling as an operator would set it for two cores: so many calls that change something use half of them. */
const perMinute = 1_500;
/** A round that is shorter decides nothing about times: a tenth of what an attack fills will do. */
const shortSeconds = 5;
/** What an attack leaves owed has to be done by then. */
const drainSeconds = 60;

type Honest = Awaited<ReturnType<typeof makeHonest>>;

export const scenario: Scenario = {
  name: 'abuse',
  about: `an honest tenant at ${perSecond} calls a second while another one attacks, one attack after the other`,
  async run(bench) {
    const { apps, options } = bench;
    const limits = { BOOTSTRAP_RATE_LIMIT: String(perMinute), TENANT_RATE_LIMIT: String(perMinute) };
    const receiver = await apps.start('webhook-receiver', limits);
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps], { ...limits, RECEIVER_URL: receiver.url });
    if (!gateway) throw new Error('the gateway did not start');
    const honest = await makeHonest(bench, gateway.url, { perSecond, perMinute });
    const warmUp = await measure(honest, Math.min(options.roundSeconds, 5));
    const endured: Endured[] = [];
    for (const attack of attacks.filter(({ name }) => !only || only.includes(name)))
      endured.push(await endure(bench, honest, gateway.url, attack));
    honest.close();
    const failed = report(endured, warmUp);
    await apps.stopAll();
    await clearTables(bench);
    console.log(`${endured.length - failed} passed, ${failed} failed, 0 skipped`);
    if (failed > 0) process.exitCode = 1;
  },
};

/** `begin` starts what the honest tenant has to endure, at the moment at which it begins to be measured. */
async function measure(honest: Honest, seconds: number, begin = () => {}) {
  const load = await startHonestLoad({ ...honest.load, seconds });
  honest.startRound();
  begin();
  return load.run();
}

/** What became of one attack; `idleMs`, `onsetMs`, `attackedMs`: what each honest call took before, at first and then. */
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

/** Compares with all that was measured without an attack: the slowest hundredth of one round is a handful of calls. */
function report(endured: readonly Endured[], warmUp: HonestResult): number {
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
  say(`  honest p99 without an attack: ${idleP99Ms.toFixed(1)} ms, from step to step ${idleStepsP99Ms.toFixed(1)} ms`);
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

async function endure(bench: Bench, honest: Honest, url: string, attack: Attack): Promise<Endured> {
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
    const idle = isTimed ? await measure(honest, options.roundSeconds) : undefined;
    const attacked = await measure(honest, options.roundSeconds, () => void attacker.send('go'));
    const webhooksP99Ms = honest.webhooksP99Ms();
    const ended = messageOf(attacker);
    attacker.send('stop');
    const message = await ended;
    findings.push(
      ...wrongStatuses(attack, message),
      ...Object.entries(attacked.errors).map(([what, n]) => `honest: ${what} (${n})`),
    );
    const { owed, dead } = await drainBacklog(bench, drainSeconds);
    if (owed > 0) findings.push(`${owed} outbox rows are owed ${drainSeconds} s later`);
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
