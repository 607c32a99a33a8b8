import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { say } from '../parts/toasts.tsx';
import { useDraft } from '../parts/use-draft.ts';
import { type SavedView, SavedViews } from '../work/saved-views.tsx';
import { agentsQuery } from '../work/task-queries.ts';
import { priorities } from '../work/task-words.ts';
import { fieldsOf, newTaskOf, type TaskFields, templateOf } from './task-template.ts';

export type CreateTaskProps = { onClose: () => void; onCreated: (id: string) => void };

export function CreateTask({ onClose, onCreated }: CreateTaskProps) {
  const client = useQueryClient();
  const [title, setTitle] = useDraft('new-task-title');
  const [description, setDescription] = useDraft('new-task-description');
  const once = useOnce();
  const [template, setTemplate] = useState<SavedView>();
  const form = useRef<HTMLFormElement>(null);
  const start = fieldsOf(template?.data ?? {});
  const choose = (next: SavedView | undefined) => {
    setTemplate(next);
    if (!next) return;
    const { title: newTitle, description: newDescription } = fieldsOf(next.data);
    setTitle(newTitle);
    setDescription(newDescription);
  };
  const current = () => newTaskOf(new FormData(form.current ?? undefined), start.contract);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['CreateTask']) =>
      once((header) => read(api.POST('/v1/tasks', { body, params: { header } }))),
    onSuccess: ({ id }) => {
      setTitle('');
      setDescription('');
      say('Task created');
      void client.invalidateQueries({ queryKey: ['tasks'] });
      onCreated(id);
    },
  });
  const fields = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(current());
  };
  return (
    <Modal title="Create a task" isOpen onClose={onClose}>
      <SavedViews
        kind="task_template"
        noun="template"
        chosen={template?.id}
        onChoose={choose}
        current={() => templateOf(current())}
      />
      <form ref={form} onSubmit={send}>
        <TextField
          label="Title"
          name="title"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          error={fields['title']}
          maxLength={500}
          required
        />
        <TextArea
          label="Description"
          name="description"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          error={fields['description']}
          required
        />
        <Details key={template?.updated_at ?? ''} fields={fields} start={start} />
        {error && Object.keys(fields).length === 0 && <ProblemNote error={error} />}
        <Button look="primary" type="submit" disabled={isPending}>
          Create
        </Button>
      </form>
    </Modal>
  );
}

type DetailsProps = { fields: Readonly<Record<string, string>>; start: TaskFields };

function Details({ fields, start }: DetailsProps) {
  const agents = useQuery(agentsQuery).data?.data ?? [];
  return (
    <>
      <TextField
        label="Role"
        name="assigned_role"
        list="roles"
        defaultValue={start.assigned_role}
        error={fields['assigned_role']}
        hint="Whose agents can claim it; empty: those of any role."
      />
      <datalist id="roles">
        {[...new Set(agents.map(({ role }) => role))].map((role) => (
          <option key={role} value={role} />
        ))}
      </datalist>
      <SelectField label="Priority" name="priority" defaultValue={start.priority}>
        {priorities.map((priority) => (
          <option key={priority}>{priority}</option>
        ))}
      </SelectField>
      <TextField label="Due" name="due_date" type="datetime-local" error={fields['due_date']} />
      <TextField
        label="Tags"
        name="tags"
        defaultValue={start.tags}
        hint="Separated by commas."
        error={fields['tags']}
      />
      <label>
        <input type="checkbox" name="reviewed" defaultChecked={start.isReviewed} /> A person reviews the work
      </label>
    </>
  );
}
