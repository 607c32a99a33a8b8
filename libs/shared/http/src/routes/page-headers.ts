/** For the documentation of a route that sends `pageHeaders`. */
export const pageHeaderTexts = {
  'X-Total-Count': 'Number of items that match the filters.',
  Link: 'The next page of the list (`rel="next"`). Absent on the last page.',
};

type Paged = { limit: number; offset: number; total: number };

/**
 * The total and the address of the next page, for lists whose body has no field for them. `query` is parsed; the
 * address has its filters and order.
 */
export function pageHeaders(path: string, query: object, { limit, offset, total }: Paged): Record<string, string> {
  const headers = { 'X-Total-Count': String(total) };
  const next = offset + limit;
  if (next >= total) return headers;
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries<unknown>({ ...query, limit, offset: next }))
    if (value !== undefined) asked.set(name, value instanceof Date ? value.toISOString() : String(value));
  return { ...headers, Link: `<${path}?${asked.toString()}>; rel="next"` };
}
