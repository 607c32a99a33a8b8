import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';
import { readTexts } from '../resources/read-search.ts';
import { readConnectSearch } from './integration-words.ts';

export const integrationRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'integrations',
    validateSearch: readConnectSearch,
    component: lazyRouteComponent(() => import('./integration-list-page.tsx'), 'IntegrationListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'integrations/$integrationId',
    validateSearch: (search: Record<string, unknown>): { reconciliation?: string } =>
      readTexts(search, ['reconciliation']),
    component: lazyRouteComponent(() => import('./integration-page.tsx'), 'IntegrationPage'),
  }),
] as const;
