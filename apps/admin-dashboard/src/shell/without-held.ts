type Rows = { data: readonly { id: string }[] };
type Page = Rows & ({ metadata: { total: number } } | { pagination: { total_count: number } });

/** A page of a list, and its total, without items whose decision is held. */
export function withoutHeld<P extends Page>(page: P, held: readonly string[]): P {
  const data = page.data.filter(({ id }) => !held.includes(id));
  const count = page.data.length - data.length;
  if ('metadata' in page) return { ...page, data, metadata: { ...page.metadata, total: page.metadata.total - count } };
  const { pagination } = page;
  return { ...page, data, pagination: { ...pagination, total_count: pagination.total_count - count } };
}
