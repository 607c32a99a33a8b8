/**
 * Maximum work of one tick of the event loop, in ms of processor time of the machine that the limit was set on: other
 * work waits for all of it.
 */
export const maxHoldMs = 50;
/** Duration of the calibration work on that machine. */
const yardstickMs = 50;

/**
 * Runs `work` and measures the longest time that it held the event loop, in ms: processor time of this thread from one
 * tick to the next, so that a busy machine does not count.
 */
export async function longestHoldMs(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = threadMs();
  let isDone = false;
  const ticked = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const tick = () => {
    ticked();
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    // In a new tick, so that earlier work of the caller is not counted.
    await new Promise((resolve) => setImmediate(resolve));
    await work();
  } finally {
    isDone = true;
    ticked();
  }
  return longest;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const yardstickText = JSON.stringify(
  Array.from({ length: 5_000 }, (_, id) => ({ id, name: `the name of ${id}`, tags: ['one', 'two'] })),
);

/**
 * How much slower this thread currently is than on the machine of the limit. Processor time is counted in steps of 4
 * ms.
 */
function slowness(): number {
  const from = threadMs();
  for (let count = 25; count > 0; count -= 1) JSON.parse(yardstickText);
  return (threadMs() - from) / yardstickMs;
}

/**
 * The minimum of a few measurements, until one is within `maxHoldMs`, since the garbage of another test must not count.
 * Longer ones are divided by the duration of the calibration work right after, so that a slow or shared processor does
 * not count. `prepare` runs before each and is not measured: it resets the work.
 */
export async function leastHoldMs(work: () => unknown, prepare: () => unknown = () => {}): Promise<number> {
  let least = Infinity;
  for (let tries = 6; tries > 0 && least > maxHoldMs; tries -= 1) {
    await prepare();
    const held = await longestHoldMs(work);
    least = Math.min(least, held > maxHoldMs ? held / Math.max(1, slowness()) : held);
  }
  return least;
}
