/** How much work one turn of the event loop may do, in ms of processor time: others wait for the whole of it. */
export const maxHoldMs = 50;

/**
 * Runs `work` and measures the longest that it held the event loop, in ms: processor time of this thread from one turn
 * of the loop to the next, so that a busy machine does not count.
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
    // In a turn of its own: what the caller did before is not counted.
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

/**
 * The least of a few measurements, until one is within `maxHoldMs`: garbage of another test is no fault of the work.
 * `prepare` comes before each and is not measured: the work has to have all of it to do again.
 */
export async function leastHoldMs(work: () => unknown, prepare: () => unknown = () => {}): Promise<number> {
  let least = Infinity;
  for (let tries = 4; tries > 0 && least > maxHoldMs; tries -= 1) {
    await prepare();
    least = Math.min(least, await longestHoldMs(work));
  }
  return least;
}
