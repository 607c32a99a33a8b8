import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import styles from '../parts/parts.module.css';
import { say, sayProblem } from '../parts/toasts.tsx';

/** A value to use elsewhere, with a button that copies it. */
export function CopyText({ label, value }: { label: string; value: string }) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => say('Copied'),
      (error: unknown) => sayProblem('Not copied: select the text and copy it.', error),
    );
  return (
    <div>
      <TextField label={label} value={value} readOnly onFocus={({ target }) => target.select()} />
      <Button onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        Copy
      </Button>
    </div>
  );
}

export type ShownOnceProps = {
  title: string;
  /** Why it matters, and who gets it. */
  children: ReactNode;
  /** By their labels. */
  values: Readonly<Record<string, string>>;
  /** Shown below the values. */
  more?: ReactNode;
  onClose: () => void;
};

/** Values that no request returns again: shown until the person confirms that they are copied. */
export const ShownOnce = ({ title, children, values, more, onClose }: ShownOnceProps) => (
  <Modal title={title} isOpen onClose={onClose} isFixed>
    <p>{children}</p>
    {Object.entries(values).map(([label, value]) => (
      <div key={label} className={styles['field']}>
        <CopyText label={label} value={value} />
      </div>
    ))}
    {more}
    <Button look="primary" onClick={onClose}>
      Done
    </Button>
  </Modal>
);

type SecretShownProps = { secret: string; onClose: () => void; children?: string };

export const SecretShown = ({ secret, onClose, children }: SecretShownProps) => (
  <ShownOnce title="Copy the secret now" values={{ Secret: secret }} onClose={onClose}>
    It is shown only once. {children ?? 'Who receives needs it to check the signatures.'}
  </ShownOnce>
);
