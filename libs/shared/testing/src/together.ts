/** Runs all of them, at most `width` at a time: most of a request's time is waiting. Returns the results in order. */
export async function together<T, R>(items: readonly T[], run: (item: T) => Promise<R>, width = 8): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const runWaiting = async () => {
    for (const [index, item] of waiting) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, runWaiting));
  return results;
}
