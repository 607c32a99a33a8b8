import { Button } from '../parts/button.tsx';
import { Modal } from '../parts/modal.tsx';
import { CopyText } from '../work/copy-text.tsx';
import styles from './access.module.css';

export type ShownOnceProps = {
  title: string;
  /** Why it matters, and to whom it is given. */
  children: string;
  /** By their labels. */
  values: Readonly<Record<string, string>>;
  onClose: () => void;
};

/** What no request returns a second time. */
export const ShownOnce = ({ title, children, values, onClose }: ShownOnceProps) => (
  <Modal title={title} isOpen onClose={onClose} isFixed>
    <p>{children}</p>
    <div className={styles['secrets']}>
      {Object.entries(values).map(([label, value]) => (
        <CopyText key={label} label={label} value={value} />
      ))}
    </div>
    <Button look="primary" onClick={onClose}>
      Done
    </Button>
  </Modal>
);
