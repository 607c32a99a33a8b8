import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbox',
    component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
  }),
] as const;
