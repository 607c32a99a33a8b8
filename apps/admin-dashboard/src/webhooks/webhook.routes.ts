import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readDeliverySearch, readWebhookListSearch } from './webhook-search.ts';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'webhooks',
    validateSearch: readWebhookListSearch,
    component: lazyPart(() => import('./webhook-list-page.tsx'), 'WebhookListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'webhooks/$webhookId',
    validateSearch: readDeliverySearch,
    component: lazyPart(() => import('./webhook-page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'webhooks/$webhookId/deliveries/$deliveryId',
    component: lazyPart(() => import('./delivery-page.tsx'), 'DeliveryPage'),
  }),
] as const;
