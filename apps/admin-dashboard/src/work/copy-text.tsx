import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Modal } from '../parts/modal.tsx';
import styles from '../parts/parts.module.css';
import { say, sayProblem } from '../parts/toasts.tsx';

/** A value to take elsewhere, with a button that copies it. */
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

type SecretShownProps = { secret: string; onClose: () => void; children?: string };

/** A secret that no request returns a second time. */
export const SecretShown = ({ secret, onClose, children }: SecretShownProps) => (
  <Modal title="Copy the secret now" isOpen onClose={onClose}>
    <p>It is shown only once. {children ?? 'Who receives needs it to check the signatures.'}</p>
    <div className={styles['field']}>
      <CopyText label="Secret" value={secret} />
    </div>
    <Button look="primary" onClick={onClose}>
      Done
    </Button>
  </Modal>
);
