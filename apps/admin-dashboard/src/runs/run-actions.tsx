import { api, read } from '../api/client.ts';
import { AskButton } from '../resources/ask.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import type { Run } from '../resources/run-queries.ts';

const paths = {
  pause: '/v1/runs/{run_id}/pause',
  resume: '/v1/runs/{run_id}/resume',
  retry: '/v1/runs/{run_id}/retry',
  cancel: '/v1/runs/{run_id}/cancel',
} as const;

const changeOf = ({ workflow_run_id: id }: Run, verb: keyof typeof paths, done: string) => ({
  resource: 'runs' as const,
  send: () => read(api.POST(paths[verb], { params: { path: { run_id: id } } })),
  done,
});

/** The actions on a run in its present state; irreversible ones ask for confirmation. */
export function RunActions({ run }: { run: Run }) {
  const isRunning = run.status === 'started';
  return (
    <>
      {isRunning && run.paused_at === null && (
        <ChangeButton change={changeOf(run, 'pause', 'Run paused')} failed="Not done">
          Pause
        </ChangeButton>
      )}
      {isRunning && run.paused_at !== null && (
        <ChangeButton look="primary" change={changeOf(run, 'resume', 'Run resumed')} failed="Not done">
          Resume
        </ChangeButton>
      )}
      {run.status === 'failed' && (
        <ChangeButton
          look="primary"
          change={changeOf(run, 'retry', 'Run retried: steps that failed are done again')}
          failed="Not done"
        >
          Retry the steps that failed
        </ChangeButton>
      )}
      <AskButton
        button={{ look: 'danger', children: 'Cancel' }}
        isOffered={isRunning}
        title="Cancel this run?"
        verb="Cancel the run"
        isDangerous
        change={changeOf(run, 'cancel', 'Run cancelled')}
      >
        Steps that are not finished are cancelled together with their tasks; their agents are asked to stop. A run that
        was cancelled cannot go on.
      </AskButton>
    </>
  );
}
