import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readWorkflowSearch } from './workflow-search.ts';

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows',
    validateSearch: readWorkflowSearch,
    component: lazyPart(() => import('./workflow-list-page.tsx'), 'WorkflowListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/$workflowId',
    component: lazyPart(() => import('./workflow-page.tsx'), 'WorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/$workflowId/start',
    component: lazyPart(() => import('./start-page.tsx'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/$workflowId/edit',
    component: lazyPart(() => import('./edit-page.tsx'), 'EditWorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'workflows/new',
    component: lazyPart(() => import('./new-page.tsx'), 'NewWorkflowPage'),
  }),
] as const;
