import { pssMegabytes } from '../harness/memory.ts';
import { median } from '../harness/report.ts';
import type { Supervised } from './system.ts';

/** MB after the warm-up, and at the end. */
type Change = { warmMb: number; endMb: number };

/**
 * Of a process that lived through all of it. `total`: what it took of the machine, in the middle of the time. `live`:
 * what it could not give back, which is what the heap and buffers hold when garbage has just been collected.
 */
export type Growth = { name: string; total: Change; live: Change };

const sampleMs = 5_000;

/** Watches what each process takes. The warm-up is the first quarter, and the end is the last one. */
export function watchMemory(processes: readonly Supervised[]): { stop(): Growth[] } {
  const lives = processes.map(({ name, app }) => ({ name, app, total: [] as number[], live: [] as number[] }));
  const timer = setInterval(() => {
    for (const { app, total, live } of lives) {
      total.push(pssMegabytes(app.pid));
      void usedMegabytes(app.healthUrl).then((used) => live.push(used));
    }
  }, sampleMs);
  return {
    stop() {
      clearInterval(timer);
      return lives
        .filter(({ app }) => processes.some((process) => process.app === app))
        .map(({ name, total, live }) => ({ name, total: change(total, median), live: change(live, lowest) }));
    },
  };
}

function change(samples: readonly number[], of: (samples: number[]) => number): Change {
  const quarter = Math.ceil(samples.length / 4);
  return { warmMb: of(samples.slice(quarter, 2 * quarter)), endMb: of(samples.slice(-quarter)) };
}

const lowest = (samples: number[]) => Math.min(...samples);

/** By its own metrics; infinite when it does not say. */
async function usedMegabytes(healthUrl: string): Promise<number> {
  const text = await fetch(`${healthUrl}/metrics`)
    .then((response) => response.text())
    .catch(() => '');
  const bytes = (name: string) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Infinity);
  return Math.round((bytes('nodejs_heap_size_used_bytes') + bytes('nodejs_external_memory_bytes')) / 1_048_576);
}
