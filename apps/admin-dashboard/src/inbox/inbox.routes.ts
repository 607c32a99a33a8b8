import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';

type InboxSearch = { item?: string };

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbox',
    validateSearch: ({ item }): InboxSearch => (typeof item === 'string' ? { item } : {}),
    component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
  }),
] as const;
