import { type ReactNode, useId } from 'react';
import layouts from '../../parts/layouts.module.css';
import { fromLocalTime, toLocalTime } from '../read-search.ts';

/** Give it a key of the filters, so that fields follow the address after going back. */
export const LogFilters = ({ label = 'Filters', children }: { label?: string; children: ReactNode }) => (
  <div className={layouts['filters']} role="group" aria-label={label}>
    {children}
  </div>
);

export type FilterProps = {
  label: string;
  value: string | undefined;
  /** undefined: no filter. */
  onChange: (value: string | undefined) => void;
};

export type ChoiceFilterProps = FilterProps & { any: string; options: Readonly<Record<string, string>> };

/** `options`: value and label. An unknown value of the address becomes an option too. */
export const ChoiceFilter = ({ label, value, onChange, any, options }: ChoiceFilterProps) => (
  <select aria-label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value || undefined)}>
    <option value="">{any}</option>
    {value !== undefined && !Object.hasOwn(options, value) && <option value={value}>{value}</option>}
    {Object.entries(options).map(([option, text]) => (
      <option key={option} value={option}>
        {text}
      </option>
    ))}
  </select>
);

/** Options that are their own labels. */
export const plainOptions = (values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((value) => [value, value]));

type TextFilterProps = FilterProps & { suggestions?: readonly string[] };

export function TextFilter({ label, value = '', onChange, suggestions = [] }: TextFilterProps) {
  const id = useId();
  return (
    <>
      <input
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        list={suggestions.length > 0 ? id : undefined}
        onBlur={({ target }) => target.value !== value && onChange(target.value.trim() || undefined)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Values are times of the API; people see them in their zone. */
export const TimeFilter = ({ label, value, onChange }: FilterProps) => (
  <input
    type="datetime-local"
    aria-label={label}
    title={label}
    defaultValue={toLocalTime(value)}
    onBlur={({ target }) => target.value !== toLocalTime(value) && onChange(fromLocalTime(target.value))}
  />
);
