import type { QueryClient } from '@tanstack/react-query';
import type { Resource } from './stale-after.ts';

/** Reloads what the page shows of these resources, and the rest when it is shown. */
export const readAgain = (client: QueryClient, resources: readonly Resource[]): Promise<unknown> =>
  Promise.all(resources.map((resource) => client.invalidateQueries({ queryKey: [resource] })));
