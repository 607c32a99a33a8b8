import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readTaskSearch } from './task-search.ts';

export const taskRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks',
    validateSearch: readTaskSearch,
    component: lazyPart(() => import('./task-list-page.tsx'), 'TaskListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tasks/$taskId',
    component: lazyPart(() => import('./task-page.tsx'), 'TaskPage'),
  }),
] as const;
