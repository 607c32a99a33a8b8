import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';

export const taskRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks',
    component: lazyRouteComponent(() => import('./task-list-page.tsx'), 'TaskListPage'),
  }),
] as const;
