import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextArea } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { say } from '../parts/toasts.tsx';
import { useDraft } from '../parts/use-draft.ts';
import { agentsQuery, type Task } from '../work/task-queries.ts';
import { isFinal } from '../work/task-words.ts';

/** Sends a change of a task and reads the task again, whatever came of it. */
function useTaskChange<T = void>(send: (input: T) => Promise<unknown>, done: string, onDone: () => void = () => {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => {
      say(done);
      onDone();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['tasks'] }),
  });
}

const pathOf = ({ id }: Task) => ({ path: { task_id: id } });

type Asked = 'cancel' | 'retry' | 'hand_over';

/** What can be done to a task as it is; what cannot be undone is asked about first. */
export function TaskActions({ task }: { task: Task }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      {!isFinal(task.status) && <Button onClick={() => setAsked('hand_over')}>Hand over</Button>}
      {!isFinal(task.status) && (
        <Button look="danger" onClick={() => setAsked('cancel')}>
          Cancel
        </Button>
      )}
      {isFinal(task.status) && <Button onClick={() => setAsked('retry')}>Retry</Button>}
      {asked === 'cancel' && <AskCancel task={task} onClose={close} />}
      {asked === 'retry' && <AskRetry task={task} onClose={close} />}
      {asked === 'hand_over' && <HandOver task={task} onClose={close} />}
    </>
  );
}

type DialogProps = { task: Task; onClose: () => void };

function AskCancel({ task, onClose }: DialogProps) {
  const params = pathOf(task);
  const cancel = useTaskChange(() => read(api.DELETE('/v1/tasks/{task_id}', { params })), 'Task cancelled', onClose);
  return (
    <Modal title="Cancel this task?" isOpen onClose={onClose}>
      <p>An agent that works on it loses its lease and is told to stop. The task can be retried later.</p>
      {cancel.error && <ProblemNote error={cancel.error} />}
      <Button look="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the task
      </Button>
    </Modal>
  );
}

function AskRetry({ task, onClose }: DialogProps) {
  const params = pathOf(task);
  const retry = useTaskChange(() => read(api.POST('/v1/tasks/{task_id}/retry', { params })), 'Task reopened', onClose);
  return (
    <Modal title="Do this task again?" isOpen onClose={onClose}>
      <p>The task becomes open, and agents can claim it again.</p>
      {retry.error && <ProblemNote error={retry.error} />}
      <Button look="primary" disabled={retry.isPending} onClick={() => retry.mutate()}>
        Retry the task
      </Button>
    </Modal>
  );
}

function HandOver({ task, onClose }: DialogProps) {
  const agents = useQuery(agentsQuery).data?.data ?? [];
  const params = pathOf(task);
  const handOver = useTaskChange<string>(
    (agent) => read(api.PATCH('/v1/tasks/{task_id}', { params, body: { assigned_agent: agent || null } })),
    'Task handed over',
    onClose,
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    handOver.mutate(String(new FormData(event.currentTarget).get('agent')));
  };
  return (
    <Modal title="Hand over" isOpen onClose={onClose}>
      <form onSubmit={send}>
        <SelectField
          label="Agent"
          name="agent"
          defaultValue={task.assigned_agent ?? ''}
          hint="Only this agent can claim it."
        >
          <option value="">Plan again</option>
          {agents.map(({ id, name, role }) => (
            <option key={id} value={id}>
              {name} ({role})
            </option>
          ))}
        </SelectField>
        {handOver.error && <ProblemNote error={handOver.error} />}
        <Button look="primary" type="submit" disabled={handOver.isPending}>
          Hand over
        </Button>
      </form>
    </Modal>
  );
}

/** A comment for everybody, or a message that the agent gets with its next call. */
export function WriteToTask({ task }: { task: Task }) {
  const [content, setContent] = useDraft(`comment:${task.id}`);
  const params = pathOf(task);
  const clear = () => setContent('');
  const body = { content };
  const comment = useTaskChange(
    () => read(api.POST('/v1/tasks/{task_id}/comments', { params, body })),
    'Comment added',
    clear,
  );
  const message = useTaskChange(
    () => read(api.POST('/v1/tasks/{task_id}/messages', { params, body })),
    'Message sent',
    clear,
  );
  const isClosed = content.trim() === '' || comment.isPending || message.isPending;
  const error = comment.error ?? message.error;
  return (
    <section aria-label="Write">
      <TextArea label="Comment or message" value={content} onChange={(event) => setContent(event.target.value)} />
      {error && <ProblemNote error={error} />}
      <div className={styles['row']}>
        <Button disabled={isClosed} onClick={() => comment.mutate()}>
          Comment
        </Button>
        <Button disabled={isClosed || isFinal(task.status)} onClick={() => message.mutate()}>
          Message the agent
        </Button>
      </div>
    </section>
  );
}
