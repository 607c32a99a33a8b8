import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, read } from '../api/client.ts';
import { useIsHeld } from '../api/held-calls.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { DecisionBar, HeldNote, Subject } from '../parts/decision.tsx';
import { TextArea } from '../parts/field.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeeing } from '../parts/use-seeing.ts';
import { useSettled } from '../parts/use-settled.ts';
import type { Run, Step } from '../resources/run-queries.ts';
import { reviewDecision } from '../resources/deciding/review-decision.ts';
import { taskQuery } from '../resources/task-queries.ts';
import { useDecision } from '../resources/deciding/use-decision.ts';
import styles from './runs.module.css';
import { StepTaskResult } from './step-detail.tsx';

/** `onChosen`: the person focused this step. `onHeld`: they have decided. `onUndone`: the step waits again. */
export type DecideStepProps = {
  run: Run;
  step: Step;
  hasKeys: boolean;
  onChosen: () => void;
  onHeld: () => void;
  onUndone: () => void;
};

/** Work of a step that waits for a decision, with its results; a rejection says what to do better. */
export function DecideStep(props: DecideStepProps) {
  const { step, onChosen } = props;
  const mayRun = useMay('workflows:run');
  const isHeld = useIsHeld(decidedOf(step));
  return (
    <section aria-label={`Approval of ${step.name}`} className={styles['approval']} onFocus={onChosen}>
      <h2>
        <bdi>{step.name}</bdi> waits for approval
      </h2>
      {mayRun && !isHeld ? (
        <DecideForm {...props} />
      ) : (
        <>
          {step.task_id && <StepTaskResult taskId={step.task_id} />}
          {isHeld ? <HeldNote /> : <p>You need the scope workflows:run to decide.</p>}
        </>
      )}
    </section>
  );
}

/** A repeated step has new work to decide about. */
export const tryOf = ({ id, attempt }: Step): string => `${id} ${attempt}`;

/** The ID of the decision: the same in the inbox. */
export const decidedOf = ({ id, task_id: taskId }: Step): string => taskId ?? id;

/** The calls that decide about the work that is shown, with the comment. */
function useDecisions({ run, step, onHeld, onUndone }: DecideStepProps, body: ReturnType<typeof reviewDecision>) {
  const draft = draftOf(step);
  const decide = useDecision({ id: decidedOf(step), name: step.name, draft, onHeld, onUndone });
  const params = { path: { run_id: run.workflow_run_id, step_id: step.id } };
  return {
    approve: () =>
      decide('Approved', body, (call) =>
        read(api.POST('/v1/runs/{run_id}/steps/{step_id}/approve', { params, ...call })),
      ),
    reject: () =>
      decide('Rejected', body, (call) =>
        read(api.POST('/v1/runs/{run_id}/steps/{step_id}/reject', { params, ...call })),
      ),
  };
}

const draftOf = ({ id }: Step): string => `step:${id}`;

function DecideForm(props: DecideStepProps) {
  const { step, hasKeys } = props;
  const [comment, setComment] = useDraft(draftOf(step));
  const field = useRef<HTMLTextAreaElement>(null);
  const { data: task, isPending } = useQuery({ ...taskQuery(step.task_id ?? ''), enabled: Boolean(step.task_id) });
  const submission = task?.submission;
  const { approve, reject } = useDecisions(props, reviewDecision(comment, submission));
  const work = `${tryOf(step)} ${submission}`;
  const seeing = useSeeing(work);
  // Not before the work is there: when it comes, what is shown changes, and keys that are pressed meanwhile are lost.
  const areKeysOn = useSettled(hasKeys && !isPending ? work : undefined);
  const whenSeen = (run: () => void) => () => !isPending && seeing.whenSeen(run);
  // A rejection without a reason would leave the next agent guessing.
  const rejectOrAsk = () => (comment.trim() === '' ? field.current?.focus() : whenSeen(reject)());
  const deciding = [
    { keys: 'a', label: 'Approve the step', run: whenSeen(approve) },
    { keys: 'r', label: 'Reject the step', run: rejectOrAsk },
  ];
  const writing = { keys: 'c', label: 'Write a comment', run: () => field.current?.focus() };
  useShortcuts(hasKeys ? [...(areKeysOn ? deciding : []), writing] : []);
  const keyOf = (shortcut: string) => (hasKeys ? { shortcut, isShortcutOff: !areKeysOn || !seeing.isSeen } : {});
  return (
    <form className={styles['form']} onSubmit={(event) => event.preventDefault()}>
      <Subject seeing={seeing}>{step.task_id && <StepTaskResult taskId={step.task_id} />}</Subject>
      <TextArea
        ref={field}
        label="Comment"
        hint="Needed for a rejection: what the next agent has to change."
        value={comment}
        onChange={({ target }) => setComment(target.value)}
      />
      <DecisionBar seeing={seeing}>
        <Button look="primary" {...keyOf('a')} disabled={isPending} onClick={whenSeen(approve)}>
          Approve
        </Button>
        <Button look="danger" {...keyOf('r')} disabled={isPending} onClick={rejectOrAsk}>
          Reject
        </Button>
      </DecisionBar>
    </form>
  );
}
