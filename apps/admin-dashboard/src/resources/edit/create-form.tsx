import type { FormEvent, ReactNode } from 'react';
import { asProblem } from '../../api/problem.ts';
import { type OnceHeader, useOnce } from '../../api/use-once.ts';
import type { Resource } from '../../live/stale-after.ts';
import { Button } from '../../parts/button.tsx';
import { Modal } from '../../parts/modal.tsx';
import { useChange } from '../use-change.ts';
import { forgetDrafts, useFormDraft } from './draft-fields.tsx';
import { FormNote } from './form-note.tsx';
import { type Texts, typedTexts } from './versions.ts';

export type CreateFormProps<T extends Texts, Body, Out> = {
  title: string;
  verb: string;
  /** Text before the fields. */
  lead?: ReactNode;
  resource: Resource;
  /** Typed text is kept under this name until it was sent. */
  draft: string;
  /** Initial values by field name. */
  start: T;
  bodyOf: (form: FormData) => Body;
  /** Sends the body, with the header that makes it happen once. */
  post: (body: Body, header: OnceHeader) => Promise<Out>;
  /** The message afterwards. */
  done?: string;
  onDone: (result: Out) => void;
  onClose: () => void;
  /** The fields, with their initial values and the errors of the API. */
  children: (texts: T, errors: Texts) => ReactNode;
};

/** Creates a resource. */
export function CreateForm<T extends Texts, Body, Out>({
  draft,
  start,
  children,
  ...props
}: CreateFormProps<T, Body, Out>) {
  const { texts, keep } = useFormDraft(draft, start);
  const once = useOnce();
  const { mutate, error, isPending } = useChange({
    resource: props.resource,
    send: (body: Body) => once((header) => props.post(body, header)),
    done: props.done ?? '',
    onDone: (result) => {
      forgetDrafts(draft);
      props.onDone(result);
    },
  });
  const errors = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(props.bodyOf(new FormData(event.currentTarget)));
  };
  return (
    <Modal title={props.title} isOpen onClose={props.onClose}>
      {props.lead}
      <form onSubmit={send} onChange={({ currentTarget }) => keep(typedTexts(new FormData(currentTarget), start))}>
        {children(texts, errors)}
        <FormNote error={error} />
        <Button look="primary" type="submit" disabled={isPending}>
          {props.verb}
        </Button>
      </form>
    </Modal>
  );
}
