import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/root-route.tsx';
import { readAgentSearch } from './agent-search.ts';

export const agentRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'agents',
    validateSearch: readAgentSearch,
    component: lazyRouteComponent(() => import('./agent-list-page.tsx'), 'AgentListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'agents/$agentId',
    validateSearch: (search: Record<string, unknown>): { key?: true } => (search['key'] === true ? { key: true } : {}),
    component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
  }),
] as const;
