import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeen } from '../parts/use-seen.ts';
import type { Run, Step } from '../resources/run-queries.ts';
import { reviewDecision } from '../resources/review-decision.ts';
import { taskQuery } from '../resources/task-queries.ts';
import { useChange } from '../resources/use-change.ts';
import styles from './runs.module.css';
import { StepTaskResult } from './step-detail.tsx';

/** `onChosen`: the person turned to this step. */
export type DecideStepProps = { run: Run; step: Step; hasKeys: boolean; onChosen: () => void; onDecided: () => void };

/** Work of a step that waits for a decision, with what has come of it; a rejection says what to do better. */
export function DecideStep(props: DecideStepProps) {
  const { step, onChosen } = props;
  const mayRun = useMay('workflows:run');
  return (
    <section aria-label={`Approval of ${step.name}`} className={styles['approval']} onFocus={onChosen}>
      <h2>{step.name} waits for approval</h2>
      {step.task_id && <StepTaskResult taskId={step.task_id} />}
      {mayRun ? <DecideForm {...props} /> : <p>You need the scope workflows:run to decide.</p>}
    </section>
  );
}

/** Work of a step that is done again is another one to decide about. */
export const tryOf = ({ id, attempt }: Step): string => `${id} ${attempt}`;

type Sent = { comment: string; submission: number | undefined };

/** What sends the decision about the work that is shown, with the comment that was written. */
function useDecisions(
  { run, step }: Pick<DecideStepProps, 'run' | 'step'>,
  { comment, submission }: Sent,
  onDone: () => void,
) {
  const params = { path: { run_id: run.workflow_run_id, step_id: step.id } };
  const body = reviewDecision(comment, submission);
  const approve = useChange({
    resource: 'runs',
    send: () => read(api.POST('/v1/runs/{run_id}/steps/{step_id}/approve', { params, body })),
    done: 'Approved',
    onDone,
  });
  const reject = useChange({
    resource: 'runs',
    send: () => read(api.POST('/v1/runs/{run_id}/steps/{step_id}/reject', { params, body })),
    done: 'Rejected',
    onDone,
  });
  return { approve, reject };
}

function DecideForm(props: DecideStepProps) {
  const { step, hasKeys, onDecided } = props;
  const [comment, setComment] = useDraft(`step:${step.id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const { data: task, isPending } = useQuery({ ...taskQuery(step.task_id ?? ''), enabled: Boolean(step.task_id) });
  const submission = task?.submission;
  const { approve, reject } = useDecisions(props, { comment, submission }, () => {
    setComment('');
    onDecided();
  });
  const isSeen = useSeen(hasKeys ? `${tryOf(step)} ${submission}` : undefined);
  const isSending = isPending || approve.isPending || reject.isPending;
  const error = approve.error ?? reject.error;
  const send = (change: { mutate: () => void }) => () => !isSending && change.mutate();
  // A rejection without a reason would leave the next agent to guess.
  const rejectOrAsk = () => (comment.trim() === '' ? field.current?.focus() : send(reject)());
  const deciding = [
    { keys: 'a', label: 'Approve the step', run: send(approve) },
    { keys: 'r', label: 'Reject the step', run: rejectOrAsk },
  ];
  const writing = { keys: 'c', label: 'Write a comment', run: () => field.current?.focus() };
  useShortcuts(hasKeys ? [...(isSeen ? deciding : []), writing] : []);
  const keyOf = (shortcut: string) => (hasKeys ? { shortcut, isShortcutOff: !isSeen } : {});
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <TextArea
        ref={field}
        label="Comment"
        hint="Needed for a rejection: what the next agent has to change."
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
      {error && <ProblemNote error={error} />}
      <div className={parts['row']}>
        <Button look="primary" {...keyOf('a')} disabled={isSending} onClick={send(approve)}>
          Approve
        </Button>
        <Button look="danger" {...keyOf('r')} disabled={isSending} onClick={rejectOrAsk}>
          Reject
        </Button>
      </div>
    </form>
  );
}
