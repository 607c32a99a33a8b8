import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readTenantListSearch } from './tenant-search.ts';

export const tenantRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tenants',
    validateSearch: readTenantListSearch,
    component: lazyPart(() => import('./tenant-list-page.tsx'), 'TenantListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'tenants/$tenantId',
    component: lazyPart(() => import('./tenant-page.tsx'), 'TenantPage'),
  }),
] as const;
