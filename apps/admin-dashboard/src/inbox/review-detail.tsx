import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, read } from '../api/client.ts';
import { useIsHeld } from '../api/held-calls.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { DecisionBar, HeldNote } from '../parts/decision.tsx';
import { TextArea } from '../parts/field.tsx';
import { NotRead } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeeing } from '../parts/use-seeing.ts';
import { reviewDecision } from '../resources/deciding/review-decision.ts';
import { type Task, taskQuery } from '../resources/task-queries.ts';
import { statusLabel } from '../resources/task-words.ts';
import { useDecision } from '../resources/deciding/use-decision.ts';
import type { DetailProps } from './detail-props.ts';
import inbox from './inbox.module.css';
import { TaskContext } from './task-context.tsx';

export function ReviewDetail(props: DetailProps) {
  const { id } = props;
  const { data: task, error, refetch } = useQuery(taskQuery(id));
  const mayDecide = useMay('tasks:write');
  const isHeld = useIsHeld(id);
  if (!task) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <article className={inbox['detail']} aria-label="Review">
      {mayDecide && !isHeld ? (
        <ReviewForm task={task} {...props} />
      ) : (
        <>
          <TaskContext taskId={id} />
          {isHeld ? <HeldNote /> : <DecidedNote task={task} />}
          {!mayDecide && <p>You need the scope tasks:write to decide.</p>}
        </>
      )}
    </article>
  );
}

const DecidedNote = ({ task: { status } }: { task: Task }) =>
  status !== 'in_review' && (
    <p role="status" className={styles['note']}>
      <strong>Decided already: the task is {statusLabel(status).toLowerCase()}.</strong>
    </p>
  );

function ReviewForm({ task, onHeld, onUndone }: DetailProps & { task: Task }) {
  const { id, title, status, submission } = task;
  const [comment, setComment] = useDraft(id);
  const field = useRef<HTMLTextAreaElement>(null);
  const seeing = useSeeing(`${id} ${submission}`);
  const decide = useDecision({ id, name: title, draft: id, onHeld, onUndone });
  const isClosed = status !== 'in_review';
  const body = reviewDecision(comment, submission);
  const params = { path: { task_id: id } };
  const whenOpen = (run: () => void) => () => !isClosed && seeing.whenSeen(run);
  const approve = whenOpen(() =>
    decide('Approved', body, (call) => read(api.POST('/v1/tasks/{task_id}/approve', { params, ...call }))),
  );
  const reject = whenOpen(() =>
    decide('Rejected', body, (call) => read(api.POST('/v1/tasks/{task_id}/reject', { params, ...call }))),
  );
  useShortcuts([
    { keys: 'a', label: 'Approve the work', run: approve },
    { keys: 'r', label: 'Reject the work', run: reject },
    { keys: 'c', label: 'Write a comment', run: () => field.current?.focus() },
  ]);
  const keyOf = (shortcut: string) => ({ shortcut, isShortcutOff: !seeing.isSeen });
  return (
    <form className={inbox['form']} onSubmit={(event) => event.preventDefault()}>
      <TaskContext taskId={id} seeing={seeing} />
      <DecidedNote task={task} />
      <TextArea
        ref={field}
        label="Comment"
        hint="With a rejection: what the next agent has to change."
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <DecisionBar seeing={seeing}>
        <Button look="primary" {...keyOf('a')} disabled={isClosed} onClick={approve}>
          Approve
        </Button>
        <Button look="danger" {...keyOf('r')} disabled={isClosed} onClick={reject}>
          Reject
        </Button>
      </DecisionBar>
    </form>
  );
}
