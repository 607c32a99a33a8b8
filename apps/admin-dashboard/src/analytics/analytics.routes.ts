import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';
import { readAnalyticsSearch } from './analytics-search.ts';

export const analyticsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'analytics',
    validateSearch: readAnalyticsSearch,
    component: lazyRouteComponent(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
  }),
] as const;
