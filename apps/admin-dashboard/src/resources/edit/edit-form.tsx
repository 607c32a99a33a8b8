import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Versioned } from '../../api/client.ts';
import { asProblem } from '../../api/problem.ts';
import type { Resource } from '../../live/stale-after.ts';
import { Button } from '../../parts/button.tsx';
import { Modal } from '../../parts/modal.tsx';
import parts from '../../parts/parts.module.css';
import { useChange } from '../use-change.ts';
import { BothVersions } from './both-versions.tsx';
import { FormNote } from './form-note.tsx';
import { differingFields, type Texts, typedTexts } from './versions.ts';

export type EditFormProps<Value, Key extends QueryKey> = {
  title: string;
  resource: Resource;
  opened: Versioned<Value>;
  /** Reads the newest version. */
  query: FetchQueryOptions<Versioned<Value>, Error, Versioned<Value>, Key>;
  /** Names and labels of the fields that two versions are compared by. */
  labels: Texts;
  /** The initial values. */
  textsOf: (value: Value) => Texts;
  /** Sends the change with the version that it is based on. */
  send: (form: FormData, to: Versioned<Value>) => Promise<unknown>;
  /** The label of the button; Save by default. */
  verb?: string;
  done: string;
  onClose: () => void;
  /** The fields; `errors` are the messages of the API by field. */
  children: (value: Value, errors: Texts) => ReactNode;
};

/** Edits the version that was read. A newer version of another person is shown next to what was typed. */
export function EditForm<Value, Key extends QueryKey>({
  opened,
  query,
  labels,
  textsOf,
  send,
  children,
  ...props
}: EditFormProps<Value, Key>) {
  const client = useQueryClient();
  const [base, setBase] = useState(opened);
  const [theirs, setTheirs] = useState<Versioned<Value>>();
  const [typed, setTyped] = useState<Texts>({});
  const change = useChange({
    resource: props.resource,
    send: async (form: FormData) => {
      const to = theirs ?? base;
      try {
        return await send(form, to);
      } catch (error) {
        if (asProblem(error).status !== 412) throw error;
        const now = await client.fetchQuery({ ...query, staleTime: 0 });
        // Something else changed: the edited fields are still the same.
        if (differingFields(labels, textsOf(now.value), textsOf(to.value)).length === 0) return send(form, now);
        setTheirs(now);
        throw error;
      }
    },
    done: props.done,
    onDone: props.onClose,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setTyped(typedTexts(form, labels));
    change.mutate(form);
  };
  const takeTheirs = () => {
    setBase(theirs ?? base);
    setTheirs(undefined);
    change.reset();
  };
  const problem = change.error ? asProblem(change.error) : undefined;
  const errors = problem?.fields ?? {};
  return (
    <Modal title={props.title} isOpen onClose={props.onClose}>
      <form
        key={base.etag}
        onSubmit={submit}
        onChange={({ currentTarget }) => setTyped(typedTexts(new FormData(currentTarget), labels))}
      >
        {children(base.value, errors)}
        <FormNote error={problem?.status === 412 ? undefined : problem} />
        {theirs && (
          <BothVersions
            fields={differingFields(labels, textsOf(theirs.value), typed)}
            theirs={textsOf(theirs.value)}
            typed={typed}
          />
        )}
        <div className={parts['row']}>
          {theirs && <Button onClick={takeTheirs}>Take theirs</Button>}
          <Button look="primary" type="submit" disabled={change.isPending}>
            {theirs ? 'Save mine over it' : (props.verb ?? 'Save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
