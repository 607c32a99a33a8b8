import { QueryClient } from '@tanstack/react-query';
import { isWorthRetrying, retryDelayMs } from './problem.ts';

/** Data stays fresh until an event invalidates it (src/live); an idle page sends no request. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 600_000,
      retry: isWorthRetrying,
      retryDelay: retryDelayMs,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
