import { customKeyOf, isCustomKey, optionsOf } from '@eas/contracts/form-options';
import type { ComponentProps } from 'react';
import { SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Checkboxes, type FieldProps, Radios } from './form-choices.tsx';
import type { Form, FormField, FormValues } from './form-values.ts';
import inbox from './inbox.module.css';

type FieldsProps = {
  form: Form;
  values: FormValues;
  /** Sentences of the API by `content.<key>`. */
  errors: Readonly<Record<string, string>>;
  onChange: (values: FormValues) => void;
};

/** The fields of a form in their order; the text field for an own option is right below its options. */
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

/** More options than this are shown as a select. */
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
      return isLong ? (
        <TextArea {...common} rows={2} />
      ) : (
        <TextField {...common} type={inputTypes[field.format ?? '']} />
      );
    }
  }
}

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const inputTypes: Readonly<Record<string, ComponentProps<'input'>['type']>> = { date: 'date' };
