const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const keyOf = (value: unknown) => (typeof value === 'string' && time.test(value) ? Date.parse(value) : value);

/** Compares two values of a field as lists do. A time shows its fraction only where it has one: as text it is out of order. */
export function inOrder(a: unknown, b: unknown): number {
  const [x, y] = [keyOf(a), keyOf(b)] as [string, string];
  return x < y ? -1 : Number(x > y);
}
