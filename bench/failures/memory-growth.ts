import { pssMegabytes } from '../harness/memory.ts';
import { median } from '../harness/report.ts';
import { type Finding, finding } from './audit/finding.ts';
import { liveMegabytes } from './live-heap.ts';
import type { Supervised } from './system/system.ts';

/** MB after the warm-up, and at the end. */
type Change = { warmMb: number; endMb: number };

/**
 * Of a process that lived through all of it. `live`: what it holds when its garbage has just been collected. `total`:
 * what it takes of the machine, in the middle of a quarter of the time; garbage that waits to be collected is most of
 * what changes in it.
 */
export type Growth = { name: string; live: Change; total: Change };

const sampleMs = 5_000;

/** Watches what each process takes, from the end of its warm-up on. */
export async function watchMemory(
  processes: readonly Supervised[],
): Promise<{ stop(): void; finish(): Promise<Growth[]> }> {
  const lives: { process: Supervised; app: Supervised['app']; warmMb: number; total: number[] }[] = [];
  for (const process of processes)
    lives.push({ process, app: process.app, warmMb: await liveOf(process.app), total: [] });
  const timer = setInterval(() => {
    for (const { app, total } of lives) total.push(pssMegabytes(app.pid));
  }, sampleMs);
  return {
    stop: () => clearInterval(timer),
    async finish() {
      clearInterval(timer);
      const growths: Growth[] = [];
      for (const { process, app, total, warmMb } of lives.filter(({ process, app }) => process.app === app)) {
        const quarter = Math.ceil(total.length / 4);
        growths.push({
          name: process.name,
          live: { warmMb, endMb: await liveOf(app) },
          total: { warmMb: median(total.slice(0, quarter)), endMb: median(total.slice(-quarter)) },
        });
      }
      return growths;
    },
  };
}

/** NaN of a process that was killed in between. */
const liveOf = ({ pid }: Supervised['app']): Promise<number> => liveMegabytes(pid).catch(() => NaN);

/** A process may grow by this after its warm-up. */
const maxGrowth = 0.1;

export function auditGrowth(growths: readonly Growth[]): Finding {
  const grown = growths.filter(({ live: { warmMb, endMb } }) => !(endMb <= warmMb * (1 + maxGrowth)));
  const what = `no process holds more than ${maxGrowth * 100} % more at the end than after its warm-up`;
  const names = grown.map(({ name, live: { warmMb, endMb } }) => `${name}: ${warmMb} to ${endMb} MB`);
  return finding(what, growths.length, names);
}

export function growthRows(growths: readonly Growth[]): (string | number)[][] {
  const cells = ({ warmMb, endMb }: Change) => [warmMb, endMb, `${(((endMb - warmMb) * 100) / warmMb).toFixed(2)} %`];
  const head = ['lived through it', 'live MB after warm-up', 'at the end', 'growth', 'all MB', 'at the end', 'growth'];
  return [head, ...growths.map(({ name, live, total }) => [name, ...cells(live), ...cells(total)])];
}
