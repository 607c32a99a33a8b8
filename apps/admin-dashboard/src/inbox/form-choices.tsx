import { optionsOf } from '@eas/contracts/form-options';
import { type ReactNode, useId } from 'react';
import parts from '../parts/parts.module.css';
import type { FormField } from './form-values.ts';
import inbox from './inbox.module.css';

export type FieldProps = {
  field: FormField;
  label: string;
  texts: readonly string[];
  error: string | undefined;
  isRequired: boolean;
  onChange: (texts: string[]) => void;
};

type Options = ReturnType<typeof optionsOf>;

/** One of some options; an optional choice can be cleared again. */
export function Radios({ options, isRequired, ...props }: FieldProps & { options: Options }) {
  const name = useId();
  const open: Options = isRequired ? [] : [{ value: '', label: 'No answer' }];
  return (
    <Choices {...props}>
      {[...options, ...open].map(({ value, label, description }) => (
        <Choice key={value} label={label} description={description}>
          <input
            type="radio"
            name={name}
            checked={(props.texts[0] ?? '') === value}
            onChange={() => props.onChange([value])}
          />
        </Choice>
      ))}
    </Choices>
  );
}

export const Checkboxes = (props: FieldProps) => (
  <Choices {...props}>
    {optionsOf(props.field).map(({ value, label, description }) => (
      <Choice key={value} label={label} description={description}>
        <input
          type="checkbox"
          checked={props.texts.includes(value)}
          onChange={({ target }) =>
            props.onChange(target.checked ? [...props.texts, value] : props.texts.filter((text) => text !== value))
          }
        />
      </Choice>
    ))}
  </Choices>
);

type ChoicesProps = Pick<FieldProps, 'label' | 'field' | 'error'> & { children: ReactNode };

const Choices = ({ label, field, error, children }: ChoicesProps) => (
  <fieldset className={inbox['choices']} aria-invalid={error !== undefined}>
    <legend dir="auto">{label}</legend>
    {field.description && (
      <p className={parts['small']} dir="auto">
        {field.description}
      </p>
    )}
    {children}
    {error && <p className={parts['error']}>{error}</p>}
  </fieldset>
);

type ChoiceProps = { label: string; description: string | undefined; children: ReactNode };

const Choice = ({ label, description, children }: ChoiceProps) => (
  <label className={inbox['choice']}>
    {children}
    <span dir="auto">
      {label}
      {description !== undefined && description !== label && <span className={parts['small']}> {description}</span>}
    </span>
  </label>
);
