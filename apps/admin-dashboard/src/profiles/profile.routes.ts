import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readProfileSearch } from './profile-search.ts';

export const profileRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'profiles',
    validateSearch: readProfileSearch,
    component: lazyPart(() => import('./profile-list-page.tsx'), 'ProfileListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'profiles/$profileId',
    component: lazyPart(() => import('./profile-page.tsx'), 'ProfilePage'),
  }),
] as const;
