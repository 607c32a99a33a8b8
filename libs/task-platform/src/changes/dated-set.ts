/** Dates of a link's fields: a member that went has a negative one. */
type Dates = Record<string, number>;

export function isNotOlder(dates: Dates, field: string, at: number): boolean {
  return at >= Math.abs(dates[field] ?? 0);
}

/** Members of a set that came or went, each with a date of its own, and the date of the whole set. */
export function datedSet(dates: Dates, name: { whole: string; member: string }) {
  const prefix = `${name.member}:`;
  const dateOf = (key: string) => dates[prefix + key] ?? 0;
  const keys = () => Object.keys(dates).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  return {
    /** Marks a member as come or gone; false when something newer is known of it. */
    move(key: string, isAdded: boolean, at: number): boolean {
      if (!isNotOlder(dates, name.whole, at) || !isNotOlder(dates, prefix + key, at)) return false;
      dates[prefix + key] = isAdded ? at : -at;
      return true;
    },
    /** Members that came or went after the moment, in order: what is stored has its keys in another one. */
    movedAfter: (at: number) =>
      keys()
        .filter((key) => Math.abs(dateOf(key)) > at)
        .sort(),
    hasCome: (key: string) => dateOf(key) > 0,
    dateOf,
    /** Forgets the oldest dates of single members beyond `max`. */
    prune(max: number): void {
      const all = keys();
      if (all.length <= max) return;
      all.sort().sort((a, b) => Math.abs(dateOf(a)) - Math.abs(dateOf(b)));
      for (const key of all.slice(0, all.length - max)) delete dates[prefix + key];
    },
  };
}
