import { QueryClient } from '@tanstack/react-query';
import { isWorthRetrying, retryDelayMs } from './problem.ts';

/** What was read stays good until an event says otherwise (src/live); an idle page sends no request. */
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
