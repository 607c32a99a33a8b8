export type Kept<T> = {
  /** The value read in the last `ms`, or being read. Rethrows the last error for the same time. */
  read(): Promise<T>;
  /** The last value, of any age. */
  latest(): T | undefined;
  isReading(): boolean;
};

/** Caches a value for a while, and reads it once at a time. */
export function keepFor<T>(ms: number, readNow: () => Promise<T>): Kept<T> {
  let latest: T | undefined;
  let last: Promise<T> | undefined;
  let [readAt, isReading] = [-Infinity, false];
  async function readAgain(): Promise<T> {
    isReading = true;
    try {
      return (latest = await readNow());
    } finally {
      [readAt, isReading] = [performance.now(), false];
    }
  }
  return {
    read() {
      const isFresh = isReading || performance.now() - readAt < ms;
      if (last === undefined || !isFresh) last = readAgain();
      return last;
    },
    latest: () => latest,
    isReading: () => isReading,
  };
}
