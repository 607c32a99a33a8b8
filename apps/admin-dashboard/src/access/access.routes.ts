import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readAuditSearch, readEditSearch, readKeySearch, readNewSearch, readUserSearch } from './access-search.ts';

export const accessRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'keys',
    validateSearch: readKeySearch,
    component: lazyPart(() => import('./key-list-page.tsx'), 'KeyListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'keys/$keyId',
    validateSearch: readEditSearch,
    component: lazyPart(() => import('./key-page.tsx'), 'KeyPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'clients',
    validateSearch: readNewSearch,
    component: lazyPart(() => import('./client-list-page.tsx'), 'ClientListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'clients/$clientId',
    validateSearch: readEditSearch,
    component: lazyPart(() => import('./client-page.tsx'), 'ClientPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'users',
    validateSearch: readUserSearch,
    component: lazyPart(() => import('./user-list-page.tsx'), 'UserListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'users/$userId',
    validateSearch: readEditSearch,
    component: lazyPart(() => import('./user-page.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'audit',
    validateSearch: readAuditSearch,
    component: lazyPart(() => import('./audit-page.tsx'), 'AuditPage'),
  }),
] as const;
