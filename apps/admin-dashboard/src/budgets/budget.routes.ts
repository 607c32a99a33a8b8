import { createRoute } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part.tsx';
import { rootRoute } from '../shell/root-route.tsx';
import { readBudgetSearch } from './budget-search.ts';

export const budgetRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'budgets',
    validateSearch: readBudgetSearch,
    component: lazyPart(() => import('./budget-list-page.tsx'), 'BudgetListPage'),
  }),
] as const;
