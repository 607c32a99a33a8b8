import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readInboundSearch } from './inbound-search.ts';

export const inboundRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbound',
    validateSearch: readInboundSearch,
    component: lazyPart(() => import('./inbound-list-page.tsx'), 'InboundListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbound/$inboundEventId',
    component: lazyPart(() => import('./inbound-event-page.tsx'), 'InboundEventPage'),
  }),
] as const;
