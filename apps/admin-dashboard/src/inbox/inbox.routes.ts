import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';

type InboxSearch = { item?: string };

export const inboxRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbox',
    validateSearch: ({ item }): InboxSearch => (typeof item === 'string' ? { item } : {}),
    component: lazyPart(() => import('./inbox-page.tsx'), 'InboxPage'),
  }),
] as const;
