import { createRootRoute } from '@tanstack/react-router';
import { EmptyState, ProblemNote } from '../parts/notes.tsx';
import { Layout } from './layout.tsx';

export const rootRoute = createRootRoute({
  component: Layout,
  notFoundComponent: () => (
    <EmptyState title="Page not found">The address leads to no page. Choose a section.</EmptyState>
  ),
  errorComponent: ({ error, reset }) => <ProblemNote error={error} onRetry={reset} />,
});
