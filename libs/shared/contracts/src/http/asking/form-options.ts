import type { FormField } from './form.ts';

/** `label`: what people see of it. */
export type FormOption = { value: string; label: string; description?: string | undefined };

type Choosable = Pick<Extract<FormField, { type: 'string' }>, 'enum' | 'oneOf'>;

/** The options of a field; none for one with free text. */
export function optionsOf(field: FormField): FormOption[] {
  if (field.type === 'string') return listed(field);
  if (field.type === 'array') return listed({ enum: field.items.enum, oneOf: field.items.anyOf });
  return [];
}

const listed = ({ enum: values = [], oneOf }: Choosable): FormOption[] =>
  oneOf?.map(({ const: value, title: label, description }) => ({ value, label, description })) ??
  values.map((value) => ({ value, label: value }));

const customSuffix = '_custom';

/** The key of the free-text field next to the options of `key`; undefined if there is none. */
export function customKeyOf(properties: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const custom = `${key}${customSuffix}`;
  return Object.hasOwn(properties, custom) ? custom : undefined;
}

/** Whether it is such a field, which is shown with the options that it belongs to. */
export const isCustomKey = (properties: Readonly<Record<string, unknown>>, key: string): boolean =>
  key.endsWith(customSuffix) && Object.hasOwn(properties, key.slice(0, -customSuffix.length));
