import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './parts.module.css';

export type ModalProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Without a way to close it. */
  isFixed?: boolean;
};

/** A dialog: focuses its first field, traps the focus and restores it. */
export function Modal({ title, isOpen, onClose, children, isFixed = false }: ModalProps) {
  const popup = useRef<HTMLDivElement>(null);
  const firstField = () => popup.current?.querySelector<HTMLElement>('input, select, textarea') ?? true;
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && !isFixed && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup ref={popup} initialFocus={firstField} className={styles['modal']}>
          <div className={styles['modalHead']}>
            <Dialog.Title>{title}</Dialog.Title>
            {!isFixed && <Dialog.Close render={<Button look="plain">Close</Button>} />}
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
