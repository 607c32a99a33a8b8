const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const keyOf = (value: unknown) => (typeof value === 'string' && time.test(value) ? Date.parse(value) : value);

/**
 * Compares two values of a field as lists do. A time shows its fraction only where it has one: as text it is out of
 * order. `order`: the values of a field that has a fixed list of them.
 */
export function inOrder(a: unknown, b: unknown, order?: readonly unknown[]): number {
  if (order) return order.indexOf(a) - order.indexOf(b);
  const [x, y] = [keyOf(a), keyOf(b)] as [string, string];
  return x < y ? -1 : Number(x > y);
}
