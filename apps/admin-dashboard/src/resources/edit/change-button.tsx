import type { ComponentProps } from 'react';
import { Button } from '../../parts/button.tsx';
import { sayProblem } from '../../parts/toasts.tsx';
import { type ChangeOptions, useChange } from '../use-change.ts';

type ChangeButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'disabled'> & {
  change: ChangeOptions<void, unknown>;
  /** The message when it was refused, followed by the reason: `Not deleted`. */
  failed: string;
};

/** Acts at once, and reports the result. */
export function ChangeButton({ change, failed, ...button }: ChangeButtonProps) {
  const { mutate, isPending } = useChange(change);
  const send = () => mutate(undefined, { onError: (error) => sayProblem(failed, error) });
  return <Button {...button} disabled={isPending} onClick={send} />;
}
