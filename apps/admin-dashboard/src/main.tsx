import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { asProblem } from './api/problem.ts';
import { sendHeldCallsOnLeaving } from './api/held-calls.ts';
import { queryClient } from './api/query-client.ts';
import { goToSignIn, loadSession } from './api/session.ts';
import { startLive } from './live/start-live.ts';
import './parts/tokens.css';
import { ProblemNote } from './parts/notes.tsx';
import { router } from './router.tsx';
import { applyTheme } from './shell/theme.ts';

applyTheme();
const root = createRoot(document.querySelector('#app') ?? document.body);

async function start(): Promise<void> {
  try {
    await queryClient.fetchQuery({ queryKey: ['session'], queryFn: loadSession });
  } catch (error) {
    if (asProblem(error).kind === 'signed_out') return goToSignIn();
    return root.render(<ProblemNote error={error} onRetry={() => void start()} />);
  }
  startLive(queryClient);
  sendHeldCallsOnLeaving();
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
