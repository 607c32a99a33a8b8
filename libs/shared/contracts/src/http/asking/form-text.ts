import type { Form, FormContent, FormField } from './form.ts';
import { type FormOption, isCustomKey, optionsOf } from './form-options.ts';

/** The filled-in values, one field per line. */
export const contentLines = (content: FormContent): string[] =>
  Object.entries(content).map(([key, value]) => `${key}: ${Array.isArray(value) ? value.join(', ') : String(value)}`);

/** The fields of a form, one per line, for people who write `key: value`. */
export function fieldLines({ properties, required = [] }: Form): string[] {
  return Object.entries(properties).map(([key, field]) => {
    const options = optionsOf(field).map(({ label }) => label);
    const facts = [
      required.includes(key) ? 'required' : '',
      field.type === 'array' ? 'several, separated by commas' : '',
      field.type === 'boolean' ? 'yes or no' : '',
      options.length > 0 ? options.join(' | ') : '',
    ].filter((fact) => fact !== '');
    const named = field.title === undefined || field.title === key ? key : `${key} (${field.title})`;
    return facts.length > 0 ? `${named}: ${facts.join('; ')}` : named;
  });
}

/**
 * The only field of a form that is a single choice (ignoring its free-text field); undefined if the form has others.
 */
export function soleChoiceOf({ properties }: Form): { key: string; options: FormOption[] } | undefined {
  const [[key, field] = [], ...others] = Object.entries(properties).filter(([one]) => !isCustomKey(properties, one));
  if (key === undefined || field?.type !== 'string' || others.length > 0) return undefined;
  const options = optionsOf(field);
  return options.length > 0 ? { key, options } : undefined;
}

const said: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };

/** A person's text for a field, as a value of its type if possible. contentViolations checks whether it is valid. */
export function readValue(field: FormField, text: string): FormContent[string] {
  const written = text.trim();
  const lower = written.toLowerCase();
  switch (field.type) {
    case 'boolean':
      return Object.hasOwn(said, lower) ? (said[lower] ?? written) : written;
    case 'number':
    case 'integer':
      return written !== '' && Number.isFinite(Number(written)) ? Number(written) : written;
    case 'array':
      return written
        .split(',')
        .map((part) => meant(field, part.trim()))
        .filter((part) => part !== '');
    case 'string':
      return meant(field, written);
  }
}

/** The option that a text names, or else the text. */
function meant(field: FormField, text: string): string {
  const lower = text.toLowerCase();
  const option = optionsOf(field).find(({ value, label }) => [value, label].some((one) => one.toLowerCase() === lower));
  return option?.value ?? text;
}
