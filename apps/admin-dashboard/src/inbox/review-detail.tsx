import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { NotRead } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useDraft } from '../parts/use-draft.ts';
import { useSeen } from '../parts/use-seen.ts';
import { reviewDecision } from '../resources/review-decision.ts';
import { type Task, taskQuery } from '../resources/task-queries.ts';
import { statusLabel } from '../resources/task-words.ts';
import inbox from './inbox.module.css';
import { TaskContext } from './task-context.tsx';
import { useDecision } from './use-decision.ts';

export function ReviewDetail({ id, onDone }: { id: string; onDone: () => void }) {
  const { data: task, error, refetch } = useQuery(taskQuery(id));
  const mayDecide = useMay('tasks:write');
  if (!task) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <article className={inbox['detail']} aria-label="Review">
      <TaskContext taskId={id} />
      {task.status !== 'in_review' && (
        <p role="status" className={styles['note']}>
          <strong>Decided already: the task is {statusLabel(task.status).toLowerCase()}.</strong>
        </p>
      )}
      {mayDecide && <ReviewForm task={task} onDone={onDone} />}
      {!mayDecide && <p>You need the scope tasks:write to decide.</p>}
    </article>
  );
}

function ReviewForm({
  task: { id, status, submission, updated_at: version },
  onDone,
}: {
  task: Task;
  onDone: () => void;
}) {
  const [comment, setComment] = useDraft(id);
  const field = useRef<HTMLTextAreaElement>(null);
  const { mutate, isPending } = useDecision<'approve' | 'reject'>(
    (decision) => {
      const init = { params: { path: { task_id: id } }, body: reviewDecision(comment, submission) };
      return decision === 'approve'
        ? read(api.POST('/v1/tasks/{task_id}/approve', init))
        : read(api.POST('/v1/tasks/{task_id}/reject', init));
    },
    'Decided',
    () => {
      setComment('');
      onDone();
    },
  );
  const isSeen = useSeen(`${id} ${version}`);
  const isClosed = isPending || status !== 'in_review';
  const decide = (decision: 'approve' | 'reject') => !isClosed && mutate(decision);
  const deciding = [
    { keys: 'a', label: 'Approve the work', run: () => decide('approve') },
    { keys: 'r', label: 'Reject the work', run: () => decide('reject') },
  ];
  useShortcuts([
    ...(isSeen ? deciding : []),
    { keys: 'c', label: 'Write a comment', run: () => field.current?.focus() },
  ]);
  const keyOf = (shortcut: string) => ({ shortcut, isShortcutOff: !isSeen });
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <TextArea
        ref={field}
        label="Comment"
        hint="With a rejection: what the next agent has to change."
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <div className={styles['row']}>
        <Button look="primary" {...keyOf('a')} disabled={isClosed} onClick={() => decide('approve')}>
          Approve
        </Button>
        <Button look="danger" {...keyOf('r')} disabled={isClosed} onClick={() => decide('reject')}>
          Reject
        </Button>
      </div>
    </form>
  );
}
