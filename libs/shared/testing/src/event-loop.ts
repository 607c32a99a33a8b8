/**
 * How much work one turn of the event loop may do, in ms of processor time of the machine that the limit was set on: others
 * wait for the whole of it.
 */
export const maxHoldMs = 50;
/** What the yardstick takes there. */
const yardstickMs = 50;

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

const yardstickText = JSON.stringify(
  Array.from({ length: 5_000 }, (_, id) => ({ id, name: `the name of ${id}`, tags: ['one', 'two'] })),
);

/** How much slower this thread is than on the machine of the limit, at the moment. Processor time comes in ticks of 4 ms. */
function slowness(): number {
  const from = threadMs();
  for (let count = 25; count > 0; count -= 1) JSON.parse(yardstickText);
  return (threadMs() - from) / yardstickMs;
}

/**
 * The least of a few measurements, until one is within `maxHoldMs`: garbage of another test is no fault of the work. One
 * that is not is divided by what a yardstick takes right after it, so that a slow or shared processor does not count.
 * `prepare` comes before each and is not measured: the work has to have all of it to do again.
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
