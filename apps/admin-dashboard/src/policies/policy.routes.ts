import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';

/** What the address says: the policy that is changed, or that one is being created. */
export type PolicySearch = { policy?: string; new?: true };

export const policyRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'policies',
    validateSearch: (search: Record<string, unknown>): PolicySearch => ({
      ...(typeof search['policy'] === 'string' ? { policy: search['policy'] } : {}),
      ...(search['new'] === true ? { new: true } : {}),
    }),
    component: lazyPart(() => import('./policy-list-page.tsx'), 'PolicyListPage'),
  }),
] as const;
