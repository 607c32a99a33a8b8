import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readAnalyticsSearch } from './analytics-search.ts';

export const analyticsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'analytics',
    validateSearch: readAnalyticsSearch,
    component: lazyPart(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
  }),
] as const;
