import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';

export type AskProps = {
  title: string;
  children: ReactNode;
  /** The label of the confirming button. */
  verb: string;
  isDangerous?: boolean;
  change: { mutate: () => void; isPending: boolean; error: unknown };
  onClose: () => void;
};

/** Asks before an action that cannot be undone. */
export const Ask = ({ title, children, verb, isDangerous = false, change, onClose }: AskProps) => (
  <Modal title={title} isOpen onClose={onClose}>
    <p>{children}</p>
    {change.error ? <ProblemNote error={change.error} /> : undefined}
    <Button look={isDangerous ? 'danger' : 'primary'} disabled={change.isPending} onClick={() => change.mutate()}>
      {verb}
    </Button>
  </Modal>
);
