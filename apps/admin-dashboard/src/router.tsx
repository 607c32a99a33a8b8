import { createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { accessRoutes } from './access/access.routes.ts';
import { agentRoutes } from './agents/agent.routes.ts';
import { analyticsRoutes } from './analytics/analytics.routes.ts';
import { basePath } from './api/base-path.ts';
import { budgetRoutes } from './budgets/budget.routes.ts';
import { inboundRoutes } from './inbound/inbound.routes.ts';
import { inboxRoutes } from './inbox/inbox.routes.ts';
import { integrationRoutes } from './integrations/integration.routes.ts';
import { profileRoutes } from './profiles/profile.routes.ts';
import { policyRoutes } from './policies/policy.routes.ts';
import { projectRoutes } from './projects/project.routes.ts';
import { runRoutes } from './runs/run.routes.ts';
import { overviewRoutes } from './overview/overview.routes.ts';
import { rootRoute } from './shell/root-route.tsx';
import { systemRoutes } from './system/system.routes.ts';
import { tenantRoutes } from './tenants/tenant.routes.ts';
import { taskRoutes } from './tasks/task.routes.ts';
import { webhookRoutes } from './webhooks/webhook.routes.ts';
import { workflowRoutes } from './workflows/workflow.routes.ts';

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: () => <Navigate to="/overview" replace />,
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    ...overviewRoutes,
    ...inboxRoutes,
    ...taskRoutes,
    ...agentRoutes,
    ...profileRoutes,
    ...projectRoutes,
    ...policyRoutes,
    ...budgetRoutes,
    ...webhookRoutes,
    ...runRoutes,
    ...workflowRoutes,
    ...analyticsRoutes,
    ...integrationRoutes,
    ...inboundRoutes,
    ...accessRoutes,
    ...tenantRoutes,
    ...systemRoutes,
  ]),
  basepath: `${basePath}/admin`,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
