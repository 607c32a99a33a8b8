const [shareSize, everyMs] = [100, 20];

/**
 * Handles 100 items now and another 100 every 20 ms: callers that wake at the same time would query the database at the
 * same time.
 */
export function inShares<T>(items: Iterable<T>, act: (item: T) => void): void {
  const rest = [...items];
  const next = () => {
    for (const item of rest.splice(0, shareSize)) act(item);
    if (rest.length > 0) setTimeout(next, everyMs).unref();
  };
  next();
}
