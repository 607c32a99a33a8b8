import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readTexts } from '../resources/read-search.ts';
import { readRunSearch } from './run-search.ts';

export const runRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'runs',
    validateSearch: readRunSearch,
    component: lazyPart(() => import('./run-list-page.tsx'), 'RunListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'runs/$runId',
    validateSearch: (search): { step?: string } => readTexts(search, ['step']),
    component: lazyPart(() => import('./run-page.tsx'), 'RunPage'),
  }),
] as const;
