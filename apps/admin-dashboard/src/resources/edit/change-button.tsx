import type { ComponentProps } from 'react';
import { Button } from '../../parts/button.tsx';
import { type ChangeOptions, useChange } from '../use-change.ts';

type ChangeButtonProps = Omit<ComponentProps<typeof Button>, 'onClick' | 'disabled'> & {
  change: ChangeOptions<void, unknown>;
  /** The message when it was refused, followed by the reason: `Not deleted`. */
  failed: string;
};

/** Acts at once, and reports the result. */
export function ChangeButton({ change, failed, ...button }: ChangeButtonProps) {
  const { mutate, isPending } = useChange({ ...change, failed });
  return <Button {...button} disabled={isPending} onClick={() => mutate()} />;
}
