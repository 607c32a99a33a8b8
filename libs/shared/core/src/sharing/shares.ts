/** Releases the slot; call it once. */
export type Leave = () => void;

export type Shares = {
  /** Takes a slot; undefined when the key has its share already, or its own maximum. */
  tryTake(key: string): Leave | undefined;
  taken(key?: string): number;
};

/**
 * Shares `total` slots between keys: a key may take one more while it holds fewer than are free. A key that is alone
 * gets half of them. As slots are released and taken again, n noisy keys converge to 1/(n + 1) each, and the same share
 * stays free for others.
 */
export function createShares(total: number, maxOfKey = total): Shares {
  const own = new Map<string, number>();
  let taken = 0;
  return {
    tryTake(key) {
      const held = own.get(key) ?? 0;
      if (held >= Math.min(maxOfKey, total - taken)) return undefined;
      own.set(key, held + 1);
      taken += 1;
      return () => {
        taken -= 1;
        const left = (own.get(key) ?? 1) - 1;
        if (left > 0) own.set(key, left);
        else own.delete(key);
      };
    },
    taken: (key) => (key === undefined ? taken : (own.get(key) ?? 0)),
  };
}
