import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'overview',
    component: lazyPart(() => import('./overview-page.tsx'), 'OverviewPage'),
  }),
] as const;
