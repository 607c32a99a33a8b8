import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { say } from '../parts/toasts.tsx';
import { useDraft } from '../parts/use-draft.ts';
import { agentsQuery } from '../work/task-queries.ts';
import { priorities } from '../work/task-words.ts';

export type CreateTaskProps = { onClose: () => void; onCreated: (id: string) => void };

export function CreateTask({ onClose, onCreated }: CreateTaskProps) {
  const client = useQueryClient();
  const [title, setTitle] = useDraft('new-task-title');
  const [description, setDescription] = useDraft('new-task-description');
  const [key] = useState(() => crypto.randomUUID());
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Schemas['CreateTask']) =>
      read(api.POST('/v1/tasks', { body, params: { header: { 'Idempotency-Key': key } } })),
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
    mutate(bodyOf(new FormData(event.currentTarget)));
  };
  return (
    <Modal title="Create a task" isOpen onClose={onClose}>
      <form onSubmit={send}>
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
        <Details fields={fields} />
        {error && Object.keys(fields).length === 0 && <ProblemNote error={error} />}
        <Button look="primary" type="submit" disabled={isPending}>
          Create
        </Button>
      </form>
    </Modal>
  );
}

function Details({ fields }: { fields: Readonly<Record<string, string>> }) {
  const agents = useQuery(agentsQuery).data?.data ?? [];
  return (
    <>
      <TextField
        label="Role"
        name="assigned_role"
        list="roles"
        error={fields['assigned_role']}
        hint="Whose agents can claim it; empty: those of any role."
      />
      <datalist id="roles">
        {[...new Set(agents.map(({ role }) => role))].map((role) => (
          <option key={role} value={role} />
        ))}
      </datalist>
      <SelectField label="Priority" name="priority" defaultValue="medium">
        {priorities.map((priority) => (
          <option key={priority}>{priority}</option>
        ))}
      </SelectField>
      <TextField label="Due" name="due_date" type="datetime-local" error={fields['due_date']} />
      <TextField label="Tags" name="tags" hint="Separated by commas." error={fields['tags']} />
    </>
  );
}

function bodyOf(form: FormData): Schemas['CreateTask'] {
  const textOf = (name: string) => String(form.get(name) ?? '').trim();
  const tags = textOf('tags').split(',');
  const due = textOf('due_date');
  return {
    title: textOf('title'),
    description: String(form.get('description') ?? ''),
    priority: priorities.find((one) => one === textOf('priority')) ?? 'medium',
    assigned_role: textOf('assigned_role') || null,
    due_date: due === '' ? null : new Date(due).toISOString(),
    tags: tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
  };
}
