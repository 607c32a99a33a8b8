/** Waiting items by key; the keys take turns. */
export type Rounds<T> = {
  /** Appends an item to those of its key. An item is added once. */
  add(key: string, item: T): void;
  remove(key: string, item: T): void;
  /** Removes and returns the first item of the next key in turn. Keys that `mayTake` refuses keep their turn. */
  take(mayTake?: (key: string) => boolean): T | undefined;
  has(key: string): boolean;
  isEmpty(): boolean;
};

export function createRounds<T>(): Rounds<T> {
  /** Keys in the order of their turns. */
  const waiting = new Map<string, Set<T>>();

  function remove(key: string, item: T): void {
    const items = waiting.get(key);
    items?.delete(item);
    if (items?.size === 0) waiting.delete(key);
  }

  return {
    add: (key, item) => void waiting.set(key, (waiting.get(key) ?? new Set()).add(item)),
    remove,
    take(mayTake = () => true) {
      for (const [key, items] of waiting) {
        if (!mayTake(key)) continue;
        const [first] = items;
        remove(key, first as T);
        // The next turn of the key comes after those of the others.
        if (waiting.delete(key)) waiting.set(key, items);
        return first;
      }
      return undefined;
    },
    has: (key) => waiting.has(key),
    isEmpty: () => waiting.size === 0,
  };
}
