import { useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import { Ask } from '../resources/ask.tsx';
import type { Run } from '../resources/run-queries.ts';
import { useChange } from '../resources/use-change.ts';

const paths = {
  pause: '/v1/runs/{run_id}/pause',
  resume: '/v1/runs/{run_id}/resume',
  retry: '/v1/runs/{run_id}/retry',
  cancel: '/v1/runs/{run_id}/cancel',
} as const;

function useCommand({ workflow_run_id: id }: Run, verb: keyof typeof paths, done: string, onDone = () => {}) {
  return useChange({
    resource: 'runs',
    send: () => read(api.POST(paths[verb], { params: { path: { run_id: id } } })),
    done,
    onDone,
  });
}

/** The actions on a run in its present state; irreversible ones ask for confirmation. */
export function RunActions({ run }: { run: Run }) {
  const [isAsking, setIsAsking] = useState(false);
  const pause = useCommand(run, 'pause', 'Run paused');
  const resume = useCommand(run, 'resume', 'Run resumed');
  const retry = useCommand(run, 'retry', 'Run retried: steps that failed are done again');
  const cancel = useCommand(run, 'cancel', 'Run cancelled', () => setIsAsking(false));
  const isRunning = run.status === 'started';
  const send = (change: typeof pause) => () =>
    change.mutate(undefined, { onError: (error) => sayProblem('Not done', error) });
  return (
    <>
      {isRunning && run.paused_at === null && (
        <Button disabled={pause.isPending} onClick={send(pause)}>
          Pause
        </Button>
      )}
      {isRunning && run.paused_at !== null && (
        <Button look="primary" disabled={resume.isPending} onClick={send(resume)}>
          Resume
        </Button>
      )}
      {run.status === 'failed' && (
        <Button look="primary" disabled={retry.isPending} onClick={send(retry)}>
          Retry the steps that failed
        </Button>
      )}
      {isRunning && (
        <Button look="danger" onClick={() => setIsAsking(true)}>
          Cancel
        </Button>
      )}
      {isAsking && (
        <Ask
          title="Cancel this run?"
          verb="Cancel the run"
          isDangerous
          change={{ mutate: () => cancel.mutate(), isPending: cancel.isPending, error: cancel.error }}
          onClose={() => setIsAsking(false)}
        >
          Steps that are not finished are cancelled together with their tasks; their agents are asked to stop. A run
          that was cancelled cannot go on.
        </Ask>
      )}
    </>
  );
}
