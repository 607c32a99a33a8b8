import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readTexts } from '../resources/read-search.ts';
import { readUsageSearch } from './usage-search.ts';

/** The dead event that is shown: its ID and the consumer that failed. */
export type SystemSearch = { event?: string; consumer?: string };

export const systemRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'system',
    validateSearch: (search: Record<string, unknown>): SystemSearch => readTexts(search, ['event', 'consumer']),
    component: lazyPart(() => import('./system-page.tsx'), 'SystemPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'usage',
    validateSearch: readUsageSearch,
    component: lazyPart(() => import('./usage-page.tsx'), 'UsagePage'),
  }),
] as const;
