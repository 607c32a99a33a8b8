export type Kept<T> = {
  /** What was read in the last `ms`, or is being read. Throws what the last try threw, for as long. */
  read(): Promise<T>;
  /** What was read last, however old. */
  latest(): T | undefined;
  isReading(): boolean;
};

/** Reads a thing once in a while, and once at a time. */
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
