import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readAgentSearch } from './agent-search.ts';
import { readRunnerSearch } from './runner-search.ts';

export const agentRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'agents',
    validateSearch: readAgentSearch,
    component: lazyPart(() => import('./agent-list-page.tsx'), 'AgentListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'agents/runners',
    validateSearch: readRunnerSearch,
    component: lazyPart(() => import('./runner-list-page.tsx'), 'RunnerListPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'agents/add',
    component: lazyPart(() => import('./add-agent-page.tsx'), 'AddAgentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'agents/$agentId',
    validateSearch: (search: Record<string, unknown>): { key?: true } => (search['key'] === true ? { key: true } : {}),
    component: lazyPart(() => import('./agent-page.tsx'), 'AgentPage'),
  }),
] as const;
