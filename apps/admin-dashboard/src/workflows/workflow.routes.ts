import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows',
    component: lazyRouteComponent(() => import('./workflow-list-page.tsx'), 'WorkflowListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/$workflowId',
    component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/$workflowId/start',
    component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/$workflowId/edit',
    component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditWorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/new',
    component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewWorkflowPage'),
  }),
] as const;
