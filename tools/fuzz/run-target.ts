import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { FuzzTarget } from '@eas/testing/fuzz';
import type { Coverage } from './coverage.ts';
import { mutate } from './mutate.ts';

/** `slowestMs`: of one input. `finding`: the first input that was not handled as it has to be. */
export type FuzzResult = {
  inputs: number;
  kept: number;
  slowestMs: number;
  finding?: { input: Buffer; error: unknown } | undefined;
};

const batchSize = 50;
const maxKept = 2_000;
/** The maximum time for an input of up to 8 KiB. Generous, as machines are shared. */
const maxMs = 250;

/** Mutates inputs for this long, and keeps those that ran new code. Stops at the first finding. */
export async function runTarget(
  { corpus, check }: FuzzTarget,
  { seconds, random, coverage }: { seconds: number; random: () => number; coverage: Coverage },
): Promise<FuzzResult> {
  const kept: Buffer[] = corpus.map((input) => Buffer.from(input));
  const pick = () => kept[Math.floor(random() * kept.length)] ?? Buffer.alloc(0);
  const result: FuzzResult = { inputs: 0, kept: kept.length, slowestMs: 0 };

  async function tryOne(input: Buffer): Promise<boolean> {
    try {
      const tookMs = await timeOf(() => check(input));
      result.slowestMs = Math.max(result.slowestMs, tookMs);
      // Once more: the first time can be slow because of other programs on the machine.
      if (tookMs > maxMs && (await timeOf(() => check(input))) > maxMs)
        throw new Error(`it took ${Math.round(tookMs)} ms`);
    } catch (error) {
      result.finding = { input, error };
    }
    return result.finding === undefined;
  }

  async function tryAll(inputs: readonly Buffer[]): Promise<boolean> {
    for (const input of inputs) if (!(await tryOne(input))) return false;
    return true;
  }

  if (!(await tryAll(kept))) return result;
  for (const endsAt = performance.now() + seconds * 1_000; performance.now() < endsAt;) {
    await yieldToEvents(); // signals
    const batch = Array.from({ length: batchSize }, () => mutate(pick(), pick(), random));
    result.inputs += batch.length;
    if (!(await tryAll(batch))) return result;
    if (!(await coverage.isNew()) || kept.length >= maxKept) continue;
    // Which of them it was is unknown, as all have run; the shortest are the easiest to go on with.
    kept.push(...batch.sort((left, right) => left.length - right.length).slice(0, 5));
    result.kept = kept.length;
  }
  return result;
}

async function timeOf(run: () => void | Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}
