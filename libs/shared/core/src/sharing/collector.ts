/** Collects what is to be written about things that are seen often, off the path of what sees them. */
export type Collector<Item> = {
  /** Notes something under a key: `change` gets what is noted and not yet written, and gives what is to be. */
  note(key: string, change: (noted: Item | undefined) => Item): void;
  /** Whether something is noted under the key that is not yet written. */
  has(key: string): boolean;
  /** Writes what is noted. */
  close(): Promise<void>;
};

export type CollectorOptions<Item> = {
  write: (items: readonly Item[]) => Promise<unknown>;
  /** A write failed: what it would have written is lost, and noted again when it is seen again. */
  onLost: (error: unknown, count: number) => void;
  intervalMs?: number;
  /** The first note waits for the interval as well. */
  isPatient?: boolean;
};

/** Keys that wait at most: more are not noted until the next write. */
const maxNoted = 10_000;

/** Writes the first note at once, and all that follow in `intervalMs` (5 s) together, in the order of their keys. */
export function createCollector<Item>(options: CollectorOptions<Item>): Collector<Item> {
  const { write, onLost, intervalMs = 5_000, isPatient = false } = options;
  let noted = new Map<string, Item>();
  let resting: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function rest(ms: number): void {
    if (ms === 0) flush();
    else resting = setTimeout(flush, ms).unref();
  }

  function flush(): void {
    resting = undefined;
    if (noted.size === 0) return;
    // In one order everywhere: two processes never wait for each other in a circle.
    const batch = [...noted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
    noted = new Map();
    if (!isPatient) rest(intervalMs);
    writing = writing.then(() => write(batch)).catch((error: unknown) => onLost(error, batch.length));
  }

  return {
    note(key, change) {
      const before = noted.get(key);
      if (before === undefined && noted.size >= maxNoted) return;
      noted.set(key, change(before));
      if (resting === undefined) rest(isPatient ? intervalMs : 0);
    },
    has: (key) => noted.has(key),
    async close() {
      clearTimeout(resting);
      flush();
      clearTimeout(resting);
      await writing;
    },
  };
}
