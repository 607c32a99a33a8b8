import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';
import { readDeliverySearch, readWebhookListSearch } from './webhook-search.ts';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'webhooks',
    validateSearch: readWebhookListSearch,
    component: lazyRouteComponent(() => import('./webhook-list-page.tsx'), 'WebhookListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'webhooks/$webhookId',
    validateSearch: readDeliverySearch,
    component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'webhooks/$webhookId/deliveries/$deliveryId',
    component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
  }),
] as const;
