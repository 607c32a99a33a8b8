import { customKeyOf, isCustomKey, optionsOf } from '@eas/contracts/form-options';
import { type ComponentProps, useId } from 'react';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import parts from '../parts/parts.module.css';
import type { Form, FormField, FormValues } from './form-values.ts';
import inbox from './inbox.module.css';

type FieldsProps = {
  form: Form;
  values: FormValues;
  /** Sentences of the API by `content.<key>`. */
  errors: Readonly<Record<string, string>>;
  onChange: (values: FormValues) => void;
};

/** The fields of a form in their order; what people may add to the options of one is right beneath it. */
export function FormFields({ form, values, errors, onChange }: FieldsProps) {
  const { properties, required = [] } = form;
  const shown = (key: string, field: FormField) => (
    <OneField
      key={key}
      field={field}
      label={`${isCustomKey(properties, key) ? (field.title ?? 'Other') : (field.title ?? key)}${required.includes(key) ? ' (required)' : ''}`}
      texts={values[key] ?? []}
      error={errors[`content.${key}`]}
      isRequired={required.includes(key)}
      onChange={(texts) => onChange({ ...values, [key]: texts })}
    />
  );
  return Object.entries(properties)
    .filter(([key]) => !isCustomKey(properties, key))
    .map(([key, field]) => {
      const customKey = customKeyOf(properties, key);
      const custom = customKey === undefined ? undefined : properties[customKey];
      return (
        <div key={key} className={inbox['options']}>
          {shown(key, field)}
          {customKey !== undefined && custom && shown(customKey, custom)}
        </div>
      );
    });
}

type FieldProps = {
  field: FormField;
  label: string;
  texts: readonly string[];
  error: string | undefined;
  isRequired: boolean;
  onChange: (texts: string[]) => void;
};

/** More options than that are a list to open. */
const maxRadios = 12;
const maxLine = 200;

function OneField(props: FieldProps) {
  const { field, label, texts, error, onChange } = props;
  const common = {
    label,
    error,
    hint: field.description ?? '',
    value: texts[0] ?? '',
    onChange: ({ target }: { target: { value: string } }) => onChange([target.value]),
  };
  switch (field.type) {
    case 'boolean':
      return <Radios {...props} options={yesOrNo} />;
    case 'array':
      return <Checkboxes {...props} />;
    case 'number':
    case 'integer':
      return <TextField {...common} type="number" step="any" min={field.minimum} max={field.maximum} />;
    case 'string': {
      const options = optionsOf(field);
      if (options.length > maxRadios)
        return (
          <SelectField {...common}>
            <option value="" />
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </SelectField>
        );
      if (options.length > 0) return <Radios {...props} options={options} />;
      const isLong = field.format === undefined && (field.maxLength ?? Infinity) > maxLine;
      return isLong ? <TextArea {...common} rows={2} /> : <TextField {...common} type={inputTypes[field.format ?? '']} />;
    }
  }
}

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const inputTypes: Readonly<Record<string, ComponentProps<'input'>['type']>> = { date: 'date' };

type Options = ReturnType<typeof optionsOf>;

/** One of some options; what is not required can be left open again. */
function Radios({ options, isRequired, ...props }: FieldProps & { options: Options }) {
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

const Checkboxes = (props: FieldProps) => (
  <Choices {...props}>
    {optionsOf(props.field).map(({ value, label, description }) => (
      <Choice key={value} label={label} description={description}>
        <input
          type="checkbox"
          checked={props.texts.includes(value)}
          onChange={({ target }) =>
            props.onChange(
              target.checked ? [...props.texts, value] : props.texts.filter((text) => text !== value),
            )
          }
        />
      </Choice>
    ))}
  </Choices>
);

type ChoicesProps = Pick<FieldProps, 'label' | 'field' | 'error'> & { children: React.ReactNode };

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

type ChoiceProps = { label: string; description: string | undefined; children: React.ReactNode };

const Choice = ({ label, description, children }: ChoiceProps) => (
  <label className={inbox['choice']}>
    {children}
    <span dir="auto">
      {label}
      {description !== undefined && description !== label && <span className={parts['small']}> {description}</span>}
    </span>
  </label>
);
