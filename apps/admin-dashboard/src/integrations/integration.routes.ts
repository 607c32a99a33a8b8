import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readTexts } from '../resources/read-search.ts';
import { readConnectSearch } from './integration-words.ts';

export const integrationRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'integrations',
    validateSearch: readConnectSearch,
    component: lazyPart(() => import('./integration-list-page.tsx'), 'IntegrationListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'integrations/$integrationId',
    validateSearch: (search: Record<string, unknown>): { reconciliation?: string } =>
      readTexts(search, ['reconciliation']),
    component: lazyPart(() => import('./integration-page.tsx'), 'IntegrationPage'),
  }),
] as const;
