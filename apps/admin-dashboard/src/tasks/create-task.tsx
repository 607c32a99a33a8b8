import { type FormEvent, useRef, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { asProblem } from '../api/problem.ts';
import { useOnce } from '../api/use-once.ts';
import { Button } from '../parts/button.tsx';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import { Ask } from '../resources/ask.tsx';
import { forgetDrafts, useFormDraft } from '../resources/edit/draft-fields.tsx';
import { FormNote } from '../resources/edit/form-note.tsx';
import { errorOf, type Texts, typedTexts } from '../resources/edit/versions.ts';
import { NameField } from '../resources/names/name-choice.tsx';
import { RoleField } from '../resources/names/role-filter.tsx';
import { usableProjectNames } from '../resources/names/sources.ts';
import { type SavedView, SavedViews } from '../resources/saved-views.tsx';
import { useChange } from '../resources/use-change.ts';
import { priorities } from '../resources/task-words.ts';
import { isChanged, newTaskOf, type TaskTexts, templateOf, textsOf } from './task-template.ts';

export type CreateTaskProps = { onClose: () => void; onCreated: (id: string) => void };

const draft = 'new-task';
const begin = textsOf({});

/** Typed text is kept as a draft. A template replaces it only after confirmation. */
function useTaskForm() {
  const form = useRef<HTMLFormElement>(null);
  const { texts, keep } = useFormDraft(draft, begin);
  const [shown, setShown] = useState({ texts, round: 0 });
  const [template, setTemplate] = useState<SavedView>();
  const [asked, setAsked] = useState<SavedView>();
  const typed = () => typedTexts(new FormData(form.current ?? undefined), begin) as TaskTexts;
  const show = (view: SavedView | undefined, next: TaskTexts) => {
    setTemplate(view);
    setAsked(undefined);
    setShown({ texts: next, round: shown.round + 1 });
    keep(next);
  };
  const use = (view: SavedView) => show(view, { ...textsOf(view.data), due_date: typed().due_date });
  const choose = (view: SavedView | undefined) => {
    // The form has no fields for the contract of a template.
    if (!view) return show(undefined, { ...typed(), contract: begin.contract });
    if (isChanged(typed(), template ? textsOf(template.data) : begin)) return setAsked(view);
    return use(view);
  };
  const task = () =>
    newTaskOf(new FormData(form.current ?? undefined), JSON.parse(typed().contract || '{}') as Contract);
  return { form, shown, keep: () => keep(typed()), template, setTemplate, choose, asked, setAsked, use, task };
}

type Contract = Record<string, unknown>;

export function CreateTask({ onClose, onCreated }: CreateTaskProps) {
  const once = useOnce();
  const { form, shown, keep, template, setTemplate, choose, asked, setAsked, use, task } = useTaskForm();
  const { mutate, isPending, error } = useChange({
    resource: 'tasks',
    send: (body: Schemas['CreateTask']) => once((header) => read(api.POST('/v1/tasks', { body, params: { header } }))),
    done: 'Task created',
    onDone: ({ id }) => {
      forgetDrafts(draft);
      onCreated(id);
    },
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(task());
  };
  return (
    <Modal title="Create a task" isOpen onClose={onClose}>
      <SavedViews
        kind="task_template"
        noun="template"
        chosen={template?.id}
        onChoose={choose}
        onSaved={setTemplate}
        current={() => templateOf(task())}
      />
      <form ref={form} onSubmit={send} onChange={keep}>
        <Fields key={shown.round} texts={shown.texts} errors={error ? asProblem(error).fields : {}} />
        <FormNote error={error} />
        <Button look="primary" type="submit" disabled={isPending}>
          Create
        </Button>
      </form>
      {asked && (
        <Ask
          title="Replace what you typed?"
          verb="Use the template"
          change={{ mutate: () => use(asked), isPending: false, error: undefined }}
          onClose={() => setAsked(undefined)}
        >
          The template {asked.name} fills all fields but the due date.
        </Ask>
      )}
    </Modal>
  );
}

function Fields({ texts, errors }: { texts: TaskTexts; errors: Texts }) {
  const of = (name: keyof TaskTexts) => ({ name, defaultValue: texts[name], error: errorOf(errors, name) });
  return (
    <>
      <TextField label="Title" {...of('title')} maxLength={500} required />
      <TextArea label="Description" {...of('description')} required />
      <NameField
        source={usableProjectNames}
        label="Project"
        name="project"
        first={texts.project}
        none="None"
        hint="What is empty below comes from its defaults."
        error={errorOf(errors, 'project')}
      />
      <RoleField
        label="Role"
        {...of('assigned_role')}
        hint="Whose agents can claim it; empty: as the project says, or any."
      />
      <SelectField label="Priority" {...of('priority')}>
        <option value="">as the project says, or medium</option>
        {priorities.map((priority) => (
          <option key={priority}>{priority}</option>
        ))}
      </SelectField>
      <TextField label="Due" {...of('due_date')} type="datetime-local" />
      <TextField label="Tags" {...of('tags')} hint="Separated by commas." />
      <label>
        <input type="checkbox" name="reviewed" defaultChecked={texts.reviewed === 'on'} /> A person reviews the work
      </label>
      <input type="hidden" name="contract" defaultValue={texts.contract} />
    </>
  );
}
