import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';

export type AskProps = {
  title: string;
  children: ReactNode;
  /** What the button says that does it. */
  verb: string;
  isDangerous?: boolean;
  change: { mutate: () => void; isPending: boolean; error: unknown };
  onClose: () => void;
};

/** Asks before something is done that cannot be taken back. */
export const Ask = ({ title, children, verb, isDangerous = false, change, onClose }: AskProps) => (
  <Modal title={title} isOpen onClose={onClose}>
    <p>{children}</p>
    {change.error ? <ProblemNote error={change.error} /> : undefined}
    <Button look={isDangerous ? 'danger' : 'primary'} disabled={change.isPending} onClick={() => change.mutate()}>
      {verb}
    </Button>
  </Modal>
);
