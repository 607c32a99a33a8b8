import { Fragment } from 'react';
import { Modal } from '../parts/modal.tsx';
import { useActiveShortcuts } from '../parts/shortcuts.ts';
import { characterKeys, exactTimes, type Switch, useSwitch } from '../parts/switches.ts';
import styles from './shell.module.css';

const SwitchField = ({ of, children }: { of: Switch; children: string }) => (
  <label>
    <input type="checkbox" checked={useSwitch(of)} onChange={({ target }) => of.set(target.checked)} /> {children}
  </label>
);

/** The keys that work on this page, and the preferences. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" isOpen onClose={onClose}>
      <SwitchField of={characterKeys}>Single keys are commands (kept in this browser)</SwitchField>
      <SwitchField of={exactTimes}>Show exact times</SwitchField>
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
