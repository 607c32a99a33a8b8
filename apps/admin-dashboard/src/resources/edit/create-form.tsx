import type { FormEvent, ReactNode } from 'react';
import { asProblem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Modal } from '../../parts/modal.tsx';
import { useFormDraft } from './draft-fields.tsx';
import { FormNote } from './form-note.tsx';
import { type Texts, typedTexts } from './versions.ts';

export type CreateFormProps<T extends Texts> = {
  title: string;
  verb: string;
  /** Text before the fields. */
  lead?: ReactNode;
  /** Typed text is kept under this name until forgetDrafts. */
  draft: string;
  /** Initial values by field name. */
  start: T;
  error: unknown;
  isPending: boolean;
  onSend: (form: FormData) => void;
  onClose: () => void;
  /** The fields, with their initial values and the errors of the API. */
  children: (texts: T, errors: Texts) => ReactNode;
};

export function CreateForm<T extends Texts>({ draft, start, error, onSend, children, ...props }: CreateFormProps<T>) {
  const { texts, keep } = useFormDraft(draft, start);
  const errors = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget));
  };
  return (
    <Modal title={props.title} isOpen onClose={props.onClose}>
      {props.lead}
      <form onSubmit={send} onChange={({ currentTarget }) => keep(typedTexts(new FormData(currentTarget), start))}>
        {children(texts, errors)}
        <FormNote error={error} />
        <Button look="primary" type="submit" disabled={props.isPending}>
          {props.verb}
        </Button>
      </form>
    </Modal>
  );
}
