import type { FormEvent, ReactNode } from 'react';
import { asProblem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Modal } from '../../parts/modal.tsx';
import { ProblemNote } from '../../parts/notes.tsx';
import type { Texts } from './versions.ts';

export type CreateFormProps = {
  title: string;
  verb: string;
  /** What is said before the fields. */
  lead?: ReactNode;
  error: unknown;
  isPending: boolean;
  onSend: (form: FormData) => void;
  onClose: () => void;
  /** The fields; `errors` are the sentences of the API by field. */
  children: (errors: Texts) => ReactNode;
};

export function CreateForm({ title, verb, lead, error, isPending, onSend, onClose, children }: CreateFormProps) {
  const errors = error ? asProblem(error).fields : {};
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget));
  };
  return (
    <Modal title={title} isOpen onClose={onClose}>
      {lead}
      <form onSubmit={send}>
        {children(errors)}
        {error !== null && Object.keys(errors).length === 0 && <ProblemNote error={error} />}
        <Button look="primary" type="submit" disabled={isPending}>
          {verb}
        </Button>
      </form>
    </Modal>
  );
}
