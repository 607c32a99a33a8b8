const [shareSize, everyMs] = [100, 20];

/**
 * Does it to 100 of them now, and to as many every 20 ms until all are through: what is woken together asks the same
 * database together.
 */
export function inShares<T>(items: Iterable<T>, act: (item: T) => void): void {
  const rest = [...items];
  const next = () => {
    for (const item of rest.splice(0, shareSize)) act(item);
    if (rest.length > 0) setTimeout(next, everyMs).unref();
  };
  next();
}
