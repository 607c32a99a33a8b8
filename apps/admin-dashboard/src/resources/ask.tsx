import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { type ChangeOptions, useChange } from './use-change.ts';

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

type AskChangeProps<Out> = Omit<AskProps, 'change'> & {
  change: ChangeOptions<void, Out>;
  /** Shows the result instead; without it the dialog closes, or `onDone` of the change leaves the page. */
  shown?: (result: Out, onClose: () => void) => ReactNode;
};

function AskChange<Out>({ change, shown, ...ask }: AskChangeProps<Out>) {
  const sending = useChange({ ...(shown ? {} : { onDone: ask.onClose }), ...change });
  if (shown && sending.data !== undefined) return shown(sending.data, ask.onClose);
  return <Ask {...ask} change={sending} />;
}

type AskButtonProps<Out> = Omit<AskChangeProps<Out>, 'onClose'> & {
  button: Omit<ComponentProps<typeof Button>, 'onClick'>;
  /** Whether the button is there; an open dialog stays. */
  isOffered?: boolean;
};

/** Sends a change after asking. */
export function AskButton<Out>({ button, isOffered = true, ...ask }: AskButtonProps<Out>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      {isOffered && <Button {...button} onClick={() => setIsAsking(true)} />}
      {isAsking && <AskChange {...ask} onClose={() => setIsAsking(false)} />}
    </>
  );
}
