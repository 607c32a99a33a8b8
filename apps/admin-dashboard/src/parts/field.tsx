import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './parts.module.css';

type FieldParts = { label: string; error?: string | undefined; hint?: string };

type Control = { id: string; className: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined };

function FieldFrame({ label, error, hint, children }: FieldParts & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const describedBy = error || hint ? `${id}-more` : undefined;
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: styles['input'] ?? '',
        'aria-invalid': error !== undefined,
        'aria-describedby': describedBy,
      })}
      {describedBy && (
        <span id={describedBy} className={error ? styles['error'] : styles['small']}>
          {error ?? hint}
        </span>
      )}
    </div>
  );
}

export const TextField = ({ label, error, hint = '', ...props }: FieldParts & ComponentProps<'input'>) => (
  <FieldFrame {...{ label, error, hint }}>{(control) => <input dir="auto" {...props} {...control} />}</FieldFrame>
);

export const TextArea = ({ label, error, hint = '', ...props }: FieldParts & ComponentProps<'textarea'>) => (
  <FieldFrame {...{ label, error, hint }}>{(control) => <textarea dir="auto" {...props} {...control} />}</FieldFrame>
);

export const SelectField = ({ label, error, hint = '', ...props }: FieldParts & ComponentProps<'select'>) => (
  <FieldFrame {...{ label, error, hint }}>{(control) => <select {...props} {...control} />}</FieldFrame>
);
