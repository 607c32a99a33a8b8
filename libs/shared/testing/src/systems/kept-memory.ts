import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const measureEveryMs = 250;
const garbageBytes = 32 * 1_024 * 1_024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Most bytes that this process keeps while `work` runs, above what it kept before: in the heap and outside of it, such as
 * buffers. At most 32 MB of garbage are counted with them: garbage is collected as often as there may be more of it, so
 * it does not matter when V8 would have done it, and collections take a time by what `work` allocates.
 */
export async function mostKeptBytes(work: () => Promise<unknown>): Promise<number> {
  const before = usedAfterCollection();
  let most = before;
  let collected = before;
  const measure = () => {
    let used = usedBytes();
    if (used > collected + garbageBytes) used = collected = usedAfterCollection();
    most = Math.max(most, used);
  };
  const measuring = setInterval(measure, measureEveryMs);
  try {
    await work();
  } finally {
    clearInterval(measuring);
  }
  measure();
  return most - before;
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function usedAfterCollection(): number {
  collectGarbage();
  return usedBytes();
}
