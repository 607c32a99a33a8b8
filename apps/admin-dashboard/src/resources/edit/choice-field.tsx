import type { ComponentProps } from 'react';
import { SelectField } from '../../parts/field.tsx';

type ChoiceProps = Omit<ComponentProps<typeof SelectField>, 'children'> & { options: Readonly<Record<string, string>> };

/** A choice among values by the words for them. */
export const ChoiceField = ({ options, ...field }: ChoiceProps) => (
  <SelectField {...field}>
    {Object.entries(options).map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </SelectField>
);
