/** Collects frequent updates, to be written in batches outside of the request that causes them. */
export type Collector<Item> = {
  /** Records an update under a key: `change` gets the item that is not written yet and returns the new one. */
  note(key: string, change: (noted: Item | undefined) => Item): void;
  /** Whether the key has an item that is not written yet. */
  has(key: string): boolean;
  /** Writes the remaining items. */
  close(): Promise<void>;
};

export type CollectorOptions<Item> = {
  write: (items: readonly Item[]) => Promise<unknown>;
  /** A write failed: its items are lost until they are recorded again. */
  onLost: (error: unknown, count: number) => void;
  intervalMs?: number;
  /** The first item waits for the interval as well. */
  isPatient?: boolean;
};

/** Maximum number of waiting keys: further ones are not recorded until the next write. */
const maxNoted = 10_000;

/** Writes the first item at once, and all that follow in `intervalMs` (5 s) together, in the order of their keys. */
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
    // Always in the same order, so that two processes cannot deadlock.
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
