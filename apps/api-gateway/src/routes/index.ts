import type { Route } from '@eas/http';
import type { EndpointRules } from '@eas/webhooks';
import type { WaitingRoom } from '@eas/tasks';
import { agentRoutes } from './agents.routes.ts';
import { analyticsRoutes } from './analytics.routes.ts';
import { integrationRoutes } from './integrations.routes.ts';
import { leaseRoutes } from './leases.routes.ts';
import { taskRoutes } from './tasks.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';

export type RouteParts = { room: WaitingRoom; leaseSeconds: number; endpointRules: EndpointRules };

/** Every route of the REST API under /v1. */
export const apiRoutes = ({ room, leaseSeconds, endpointRules }: RouteParts): Route[] => [
  ...taskRoutes,
  ...agentRoutes,
  ...leaseRoutes(room, leaseSeconds),
  ...webhookRoutes(endpointRules),
  ...integrationRoutes,
  ...analyticsRoutes,
];
