import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Tells what can be read again from what a change of this page (its `meta.deletes` is an id) is deleting or has deleted,
 * which would be answered with "not found" while the page that showed it makes room for another.
 */
export function exists(client: QueryClient): (query: Query) => boolean {
  const deleting = client.getMutationCache().findAll({ predicate: ({ state }) => state.status !== 'error' });
  const deleted: unknown[] = deleting.map(({ meta }) => meta?.['deletes']).filter((id) => id !== undefined);
  return ({ queryKey }) => !queryKey.some((part) => deleted.includes(part));
}
