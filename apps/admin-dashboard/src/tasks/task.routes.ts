import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';
import { readTaskSearch } from './task-search.ts';

export const taskRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks',
    validateSearch: readTaskSearch,
    component: lazyRouteComponent(() => import('./task-list-page.tsx'), 'TaskListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks/$taskId',
    component: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage'),
  }),
] as const;
