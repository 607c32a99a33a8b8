import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const measureEveryMs = 250;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Most bytes that this process keeps while `work` runs, above what it kept before: in the heap and outside of it, such as
 * buffers. Garbage is collected before each measurement, so it does not matter when V8 would have done it.
 */
export async function mostKeptBytes(work: () => Promise<unknown>): Promise<number> {
  const before = keptBytes();
  let most = before;
  const measure = () => (most = Math.max(most, keptBytes()));
  const measuring = setInterval(measure, measureEveryMs);
  try {
    await work();
  } finally {
    clearInterval(measuring);
  }
  return measure() - before;
}

function keptBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
