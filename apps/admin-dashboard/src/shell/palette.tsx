import { Autocomplete } from '@base-ui/react/autocomplete';
import { Modal } from '../parts/modal.tsx';
import styles from './shell.module.css';
import inputs from '../parts/parts.module.css';

export type Command = { label: string; keys?: string; run: () => void };

/** The command palette: Ctrl or Cmd with K. */
export function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  return (
    <Modal title="Commands" isOpen onClose={onClose}>
      <Autocomplete.Root open inline items={commands} autoHighlight="always" itemToStringValue={(one) => one.label}>
        <Autocomplete.Input className={inputs['input']} aria-label="Search commands" placeholder="Type a command" />
        <Autocomplete.Empty>Nothing has this name.</Autocomplete.Empty>
        <Autocomplete.List className={styles['list']}>
          {(command: Command) => (
            <Autocomplete.Item
              key={command.label}
              value={command}
              className={styles['option']}
              onClick={() => {
                onClose();
                command.run();
              }}
            >
              {command.label}
              {command.keys && <kbd>{command.keys}</kbd>}
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Modal>
  );
}
