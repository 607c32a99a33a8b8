import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Filters out queries of a resource that this page is deleting or has deleted (an ID in `meta.deletes`): reading them
 * again would return "not found" until the page has changed.
 */
export function exists(client: QueryClient): (query: Query) => boolean {
  const deleting = client.getMutationCache().findAll({ predicate: ({ state }) => state.status !== 'error' });
  const deleted: unknown[] = deleting.map(({ meta }) => meta?.['deletes']).filter((id) => id !== undefined);
  return ({ queryKey }) => !queryKey.some((part) => deleted.includes(part));
}
