import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readPolicySearch } from './policy-search.ts';

export const policyRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'policies',
    validateSearch: readPolicySearch,
    component: lazyPart(() => import('./policy-list-page.tsx'), 'PolicyListPage'),
  }),
] as const;
