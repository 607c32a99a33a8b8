import { Fragment } from 'react';
import { Modal } from '../parts/modal.tsx';
import { useActiveShortcuts } from '../parts/shortcuts.ts';
import styles from './shell.module.css';

/** The keys that work here and now. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" isOpen onClose={onClose}>
      <dl className={styles['keys']}>
        {[{ keys: 'Ctrl K', label: 'Search commands' }, ...useActiveShortcuts()].map(({ keys, label }) => (
          <Fragment key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{label}</dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  );
}
