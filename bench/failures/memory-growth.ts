import { median } from '../harness/report.ts';
import { pssMegabytes } from '../harness/memory.ts';
import type { Supervised } from './system.ts';

/** Of a process that lived through all of it: MB after the warm-up, and at the end. */
export type Growth = { name: string; warmMb: number; endMb: number };

const sampleMs = 5_000;

/** Watches what each process takes. The warm-up is the first quarter. */
export function watchMemory(processes: readonly Supervised[]): { stop(): Growth[] } {
  const lives = processes.map((process) => ({ process, pid: process.app.pid, samples: [] as number[] }));
  const timer = setInterval(() => {
    for (const { pid, samples } of lives) samples.push(pssMegabytes(pid));
  }, sampleMs);
  return {
    stop() {
      clearInterval(timer);
      return lives
        .filter(({ process, pid }) => process.app.pid === pid)
        .map(({ process: { name }, samples }) => {
          const quarter = Math.ceil(samples.length / 4);
          return { name, warmMb: median(samples.slice(quarter, 2 * quarter)), endMb: median(samples.slice(-quarter)) };
        });
    },
  };
}
