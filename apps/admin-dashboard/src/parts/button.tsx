import type { ComponentProps } from 'react';
import styles from './parts.module.css';
import { characterKeys, useSwitch } from './switches.ts';

type Look = 'primary' | 'danger' | 'plain' | 'normal';

export const buttonClass = (look: Look = 'normal'): string =>
  look === 'normal' ? (styles['button'] ?? '') : `${styles['button']} ${styles[look]}`;

export type ButtonProps = ComponentProps<'button'> & { look?: Look; shortcut?: string; isShortcutOff?: boolean };

/** `shortcut` is only displayed; useShortcuts implements it. `isShortcutOff`: it does not work yet. */
export function Button({ look, shortcut, isShortcutOff = false, children, ...props }: ButtonProps) {
  const hasKeys = useSwitch(characterKeys);
  return (
    <button
      type="button"
      {...props}
      {...(shortcut && hasKeys && !isShortcutOff && { 'aria-keyshortcuts': shortcut })}
      className={buttonClass(look)}
    >
      {children}
      {shortcut && hasKeys && (
        <kbd aria-hidden="true" style={{ visibility: isShortcutOff ? 'hidden' : 'visible' }}>
          {shortcut}
        </kbd>
      )}
    </button>
  );
}
