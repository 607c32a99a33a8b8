import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';
import { readInboundSearch } from './inbound-search.ts';

export const inboundRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbound',
    validateSearch: readInboundSearch,
    component: lazyRouteComponent(() => import('./inbound-list-page.tsx'), 'InboundListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'inbound/$inboundEventId',
    component: lazyRouteComponent(() => import('./inbound-event-page.tsx'), 'InboundEventPage'),
  }),
] as const;
