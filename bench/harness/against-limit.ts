import { type AppName, type RunningApp, workerApps } from './apps.ts';
import { clearTables, countBacklog, drainBacklog } from './backlog.ts';
import type { Bench } from './bench.ts';
import type { Load } from './load.ts';
import { pssMegabytes } from './memory.ts';
import { formatNumber, say, table } from './report.ts';
import { againstLimit, compare, medianRate, type Side } from './rounds.ts';

export type Target = {
  app: AppName;
  path: string;
  headers: Record<string, string>;
  body: Load['body'];
  /** Measures the app at half of the rate that it reached without worker apps. */
  atHalf?(url: string, perSecond: number): Promise<void>;
};

/** A backlog that is not empty by then is reported with the number of its rows. */
const drainLimitSeconds = 600;

/** Compares with a stack that writes nothing: without worker apps, which then drain the backlog, and with them live. */
export async function measureAgainstLimit(bench: Bench, target: Target): Promise<void> {
  const { apps } = bench;
  const [limit, real] = await apps.startAll(['limit-server', target.app]);
  if (!limit || !real) throw new Error('the apps did not start');
  const side = (label: string, { url, pid }: RunningApp): Side => ({
    label,
    pid,
    load: { url: `${url}${target.path}`, headers: target.headers, body: target.body },
  });
  const sides = { limit: side('limit', limit), real: side('real', real) };

  say('  worker apps stopped');
  const alone = await compare(bench, sides);
  bench.record({ name: 'worker apps stopped', ...againstLimit(alone) });
  await target.atHalf?.(real.url, medianRate(alone.real) / 2);
  sayMemory(bench);
  const { pending } = await countBacklog(bench);
  say(`  starting the worker apps on a backlog of ${formatNumber(pending)} outbox rows`);
  const [relayApp, ...consumers] = [...workerApps].reverse();
  await apps.startAll(consumers);
  const started = apps.startAll(relayApp ? [relayApp] : []);
  await sayDrained(bench, pending, 'the start of the relay included');
  await started;

  say('  all apps live (the backlog drains before each round of the limit)');
  const between = async () => void (await drainBacklog(bench, drainLimitSeconds));
  bench.record({ name: 'all apps', ...againstLimit(await compare(bench, { ...sides, between })) });
  sayMemory(bench);
  await sayDrained(bench, (await countBacklog(bench)).pending, 'after the last request');
  await apps.stopAll();
  await clearTables(bench);
}

async function sayDrained(bench: Bench, before: number, moment: string): Promise<void> {
  if (before === 0) return say('  the outbox is empty: the workers keep up');
  const { seconds, pending, dead } = await drainBacklog(bench, drainLimitSeconds);
  const rate = Math.round((before - pending) / seconds);
  const end = pending === 0 ? 'outbox empty' : `${formatNumber(pending)} rows left`;
  const lost = dead > 0 ? `, ${formatNumber(dead)} dead` : '';
  say(`  ${end} after ${formatNumber(seconds)} s (${formatNumber(rate)} rows/s, ${moment}${lost})`);
}

export function sayMemory({ apps, stores }: Bench): void {
  const own = apps.running().map(({ name, pid }) => [name, pssMegabytes(pid)] as const);
  const servers = Object.entries(stores.pids).map(([name, pid]) => [name, pssMegabytes(pid)] as const);
  const rows = [...own, ...servers];
  const total = rows.reduce((sum, [, megabytes]) => sum + megabytes, 0);
  table([['process', 'PSS MB'], ...rows, ['together', total]]);
}
