import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read, readVersion, type Schemas } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { TextArea } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import styles from '../parts/parts.module.css';
import { useDraft } from '../parts/use-draft.ts';
import { AskButton } from '../resources/ask.tsx';
import { EditForm } from '../resources/edit/edit-form.tsx';
import { errorOf } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import type { NameSource } from '../resources/names/name-source.ts';
import { agentNames, usableProjectNames } from '../resources/names/sources.ts';
import type { Project } from '../resources/project-queries.ts';
import type { Task } from '../resources/task-queries.ts';
import { useChange } from '../resources/use-change.ts';
import { isFinal } from '../resources/task-words.ts';
import { useMessage } from './use-message.ts';

const pathOf = ({ id }: Task) => ({ path: { task_id: id } });

type Asked = 'hand_over' | 'project';

/** The actions on a task in its present state; irreversible ones ask for confirmation. */
export function TaskActions({ task }: { task: Task }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const params = pathOf(task);
  return (
    <>
      {!isFinal(task.status) && <Button onClick={() => setAsked('hand_over')}>Hand over</Button>}
      {!isFinal(task.status) && <Button onClick={() => setAsked('project')}>Change the project</Button>}
      <AskButton
        button={{ look: 'danger', children: 'Cancel' }}
        isOffered={!isFinal(task.status)}
        title="Cancel this task?"
        verb="Cancel the task"
        isDangerous
        change={{
          resource: 'tasks',
          send: () => read(api.DELETE('/v1/tasks/{task_id}', { params })),
          done: 'Task cancelled',
        }}
      >
        An agent that works on it loses its lease and is asked to stop. The task can be retried later.
      </AskButton>
      <AskButton
        button={{ children: 'Retry' }}
        isOffered={isFinal(task.status)}
        title="Do this task again?"
        verb="Retry the task"
        change={{
          resource: 'tasks',
          send: () => read(api.POST('/v1/tasks/{task_id}/retry', { params })),
          done: 'Task reopened',
        }}
      >
        The task becomes open, and agents can claim it again.
      </AskButton>
      {asked === 'hand_over' && <ChangeName task={task} onClose={close} choice={handOver} />}
      {asked === 'project' && <ChangeName task={task} onClose={close} choice={changeProject} />}
    </>
  );
}

type DialogProps = { task: Task; onClose: () => void };

const versionQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'version', id],
    queryFn: ({ signal }) => readVersion(api.GET('/v1/tasks/{task_id}', { params: { path: { task_id: id } }, signal })),
  });

type Choice<Row extends { id: string }> = {
  title: string;
  verb: string;
  field: 'assigned_agent' | 'project';
  label: string;
  source: NameSource<Row>;
  none: string;
  hint: string;
  done: string;
};

const handOver: Choice<Schemas['Agent']> = {
  title: 'Hand over',
  verb: 'Hand over',
  field: 'assigned_agent',
  label: 'Agent',
  source: agentNames,
  none: 'Plan again',
  hint: 'Only this agent can claim it.',
  done: 'Task handed over',
};

const changeProject: Choice<Project> = {
  title: 'Change the project',
  verb: 'Save',
  field: 'project',
  label: 'Project',
  source: usableProjectNames,
  none: 'As the repository in its metadata says',
  hint: 'The next claim brings its repositories.',
  done: 'Project changed',
};

/** Changes a reference of a task by ID, in the version that was read. */
function ChangeName<Row extends { id: string }>({ task, onClose, choice }: DialogProps & { choice: Choice<Row> }) {
  const { data: opened, error } = useQuery({ ...versionQuery(task.id), staleTime: 0 });
  const { title, field } = choice;
  if (!opened)
    return (
      <Modal title={title} isOpen onClose={onClose}>
        <NotRead error={error} />
      </Modal>
    );
  return (
    <EditForm
      title={title}
      verb={choice.verb}
      resource="tasks"
      opened={opened}
      query={versionQuery(task.id)}
      labels={{ [field]: choice.label }}
      textsOf={({ [field]: id }) => ({ [field]: id ?? '' })}
      send={(form, { etag }) => {
        const params = { ...pathOf(task), header: { 'If-Match': etag } };
        return read(api.PATCH('/v1/tasks/{task_id}', { params, body: { [field]: String(form.get(field)) || null } }));
      }}
      done={choice.done}
      onClose={onClose}
    >
      {({ [field]: id }, errors) => (
        <NameField
          {...{ source: choice.source, label: choice.label, none: choice.none, hint: choice.hint }}
          name={field}
          first={id ?? ''}
          error={errorOf(errors, field)}
        />
      )}
    </EditForm>
  );
}

/** A comment for people, or a message that the agent gets with its next call. */
export function WriteToTask({ task }: { task: Task }) {
  const [content, setContent] = useDraft(`comment:${task.id}`);
  const onDone = () => setContent('');
  const once = useOnce();
  const comment = useChange({
    resource: 'tasks',
    onDone,
    send: () =>
      once((header) =>
        read(api.POST('/v1/tasks/{task_id}/comments', { params: { ...pathOf(task), header }, body: { content } })),
      ),
    done: 'Comment added',
  });
  const message = useMessage(task.id, content, onDone);
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
