import { queryOptions, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, read, type Schemas } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import layouts from '../parts/layouts.module.css';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { Ask } from './ask.tsx';
import { useChange } from './use-change.ts';

export type SavedView = Schemas['View'];

/** All views and templates that the person saved; there are few. */
const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => read(api.GET('/admin/api/views', { signal })),
});

export type SavedViewsProps = {
  kind: SavedView['kind'];
  /** The word for one of them: "view", "template". */
  noun: string;
  chosen: string | undefined;
  onChoose: (view: SavedView | undefined) => void;
  /** Called instead of `onChoose` after the current values were saved. */
  onSaved?: (view: SavedView) => void;
  /** The current values, which Save stores. */
  current: () => Record<string, unknown>;
};

/** Chooses, saves and deletes named values of the person, which are stored by the service. */
export function SavedViews({ kind, noun, chosen, onChoose, onSaved = onChoose, current }: SavedViewsProps) {
  const [asked, setAsked] = useState<'save' | 'delete'>();
  const { data } = useQuery(viewsQuery);
  const views = data?.data.filter((view) => view.kind === kind) ?? [];
  const shown = views.find(({ id }) => id === chosen);
  const close = () => setAsked(undefined);
  return (
    <div className={layouts['controls']} role="group" aria-label={`Saved ${noun}s`}>
      {views.length > 0 && (
        <select
          aria-label={`Use a ${noun}`}
          value={shown?.id ?? ''}
          onChange={({ target }) => onChoose(views.find(({ id }) => id === target.value))}
        >
          <option value="">{`No ${noun}`}</option>
          {views.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Button onClick={() => setAsked('save')}>{`Save as ${noun}`}</Button>
      {shown && <Button onClick={() => setAsked('delete')}>{`Delete ${noun}`}</Button>}
      {asked === 'save' && <Save {...{ kind, noun, current, onClose: close, onSaved }} name={shown?.name ?? ''} />}
      {asked === 'delete' && shown && (
        <Delete {...{ noun, view: shown, onClose: close, onDeleted: () => onChoose(undefined) }} />
      )}
    </div>
  );
}

type SaveProps = Pick<SavedViewsProps, 'kind' | 'noun' | 'current'> & {
  name: string;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
};

function Save({ kind, noun, current, name, onClose, onSaved }: SaveProps) {
  const save = useChange<SavedView, string>({
    resource: 'views',
    send: (text) => read(api.POST('/admin/api/views', { body: { kind, name: text, data: current() } })),
    done: 'Saved',
    onDone: (view) => {
      onSaved(view);
      onClose();
    },
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <Modal title={`Save as ${noun}`} isOpen onClose={onClose}>
      <form onSubmit={send}>
        <TextField
          label="Name"
          name="name"
          defaultValue={name}
          hint={`A ${noun} of yours with this name is replaced. No one else sees it.`}
          maxLength={100}
          required
        />
        {save.error && <ProblemNote error={save.error} />}
        <Button look="primary" type="submit" disabled={save.isPending}>
          Save
        </Button>
      </form>
    </Modal>
  );
}

type DeleteProps = { noun: string; view: SavedView; onClose: () => void; onDeleted: () => void };

function Delete({ noun, view, onClose, onDeleted }: DeleteProps) {
  const remove = useChange({
    resource: 'views',
    send: () => read(api.DELETE('/admin/api/views/{view_id}', { params: { path: { view_id: view.id } } })),
    done: 'Deleted',
    onDone: () => {
      onDeleted();
      onClose();
    },
  });
  return (
    <Ask title={`Delete this ${noun}?`} verb={`Delete the ${noun}`} isDangerous change={remove} onClose={onClose}>
      {view.name}
    </Ask>
  );
}
