import type { ComponentProps } from 'react';
import styles from './parts.module.css';

type Look = 'primary' | 'danger' | 'plain' | 'normal';

export const buttonClass = (look: Look = 'normal'): string =>
  look === 'normal' ? (styles['button'] ?? '') : `${styles['button']} ${styles[look]}`;

export type ButtonProps = ComponentProps<'button'> & { look?: Look; shortcut?: string };

/** `shortcut` is only shown: useShortcuts makes it work. */
export function Button({ look, shortcut, children, ...props }: ButtonProps) {
  return (
    <button type="button" {...props} className={buttonClass(look)}>
      {children}
      {shortcut && <kbd aria-hidden="true">{shortcut}</kbd>}
    </button>
  );
}
