import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readProjectSearch } from './project-search.ts';

export const projectRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'projects',
    validateSearch: readProjectSearch,
    component: lazyPart(() => import('./project-list-page.tsx'), 'ProjectListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'projects/$projectId',
    component: lazyPart(() => import('./project-page.tsx'), 'ProjectPage'),
  }),
] as const;
