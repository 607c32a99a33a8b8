import { optionsOf } from '@eas/contracts/form-options';
import type { Schemas } from '../api/client.ts';

export type Form = Schemas['Form'];
export type FormField = Form['properties'][string];
/** The values of the controls: texts by field, several only where several options can be chosen. */
export type FormValues = Readonly<Record<string, readonly string[]>>;

/** The values that the agent filled in. */
export const startOf = ({ properties }: Form): FormValues =>
  Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, textsOf(field)]));

function textsOf({ default: filled }: FormField): string[] {
  if (filled === undefined) return [];
  return Array.isArray(filled) ? filled : [String(filled)];
}

/** The values to send; empty ones are left out. The API validates them. */
export function contentOf({ properties, required = [] }: Form, values: FormValues): Schemas['FormContentInput'] {
  const filled = Object.entries(properties).flatMap(([key, field]) => {
    const texts = (values[key] ?? []).filter((text) => text.trim() !== '');
    const isLeftOut = texts.length === 0 && !(field.type === 'array' && required.includes(key));
    return isLeftOut ? [] : [[key, valueOf(field, texts)] as const];
  });
  return Object.fromEntries(filled);
}

function valueOf(field: FormField, texts: readonly string[]): Schemas['FormContentInput'][string] {
  const [text = ''] = texts;
  switch (field.type) {
    case 'array':
      return optionsOf(field)
        .map(({ value }) => value)
        .filter((value) => texts.includes(value));
    case 'boolean':
      return text === 'true';
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'string':
      return text;
  }
}

/** Values kept as a draft; `start` where there are none. */
export function keptValues(text: string, start: FormValues): FormValues {
  const kept = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  const known = Object.entries(kept).filter(([key, value]) => Object.hasOwn(start, key) && Array.isArray(value));
  return { ...start, ...(Object.fromEntries(known) as FormValues) };
}
