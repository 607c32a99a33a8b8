import type { z } from 'zod';
import { ofMaxBytes } from '../../fields.ts';
import { exampleForm, type Form, type FormField, formInputShape, formText, maxFields, maxFormBytes } from './form.ts';
import { problemOf } from './form-content.ts';
import { optionsOf } from './form-options.ts';

type Refuse = (path: (string | number)[], constraint: string, message: string) => void;

/** Rules beyond the schemas of the fields: a form that cannot be filled in is refused. */
function checkForm({ properties, required = [] }: Form, context: z.RefinementCtx): void {
  const refuse: Refuse = (path, constraint, message) =>
    context.addIssue({ code: 'custom', path, params: { constraint }, message });
  const keys = Object.keys(properties);
  if (keys.length === 0) refuse(['properties'], 'min_length', 'must have at least 1 field');
  if (keys.length > maxFields) refuse(['properties'], 'max_length', `must have at most ${maxFields} fields`);
  for (const [index, key] of required.entries())
    if (!Object.hasOwn(properties, key)) refuse(['required', index], 'enum', 'must be the key of a field');
  for (const [key, field] of Object.entries(properties))
    checkField(field, (path, ...rest) => refuse(['properties', key, ...path], ...rest));
}

function checkField(field: FormField, refuse: Refuse): void {
  checkOptions(field, refuse);
  const [least, most, path] = boundsOf(field);
  if (least > most) refuse([path], 'max', 'must not be below the smallest one');
  if (field.default === undefined) return;
  const problem = problemOf(field, field.default);
  if (problem) refuse(['default'], problem.constraint, problem.message);
}

function checkOptions(field: FormField, refuse: Refuse): void {
  const [values, titled, path] =
    field.type === 'array'
      ? [field.items.enum, field.items.anyOf, ['items']]
      : field.type === 'string'
        ? [field.enum, field.oneOf, []]
        : [undefined, undefined, []];
  if (values && titled) refuse(path, 'unknown_field', 'must have its options in one list, with titles or without');
  if (field.type === 'array' && !values && !titled) refuse(path, 'required', 'must have enum or anyOf');
  const options = optionsOf(field).map(({ value }) => value);
  if (new Set(options).size < options.length) refuse(path, 'exists', 'must not have an option twice');
}

/** The smallest and the largest that fits, and the name of the latter. */
function boundsOf(field: FormField): [number, number, string] {
  switch (field.type) {
    case 'string':
      return [field.minLength ?? 0, field.maxLength ?? Infinity, 'maxLength'];
    case 'array':
      return [field.minItems ?? 0, field.maxItems ?? Infinity, 'maxItems'];
    case 'number':
    case 'integer':
      return [field.minimum ?? -Infinity, field.maximum ?? Infinity, 'maximum'];
    case 'boolean':
      return [0, 0, ''];
  }
}

export const formInput = formInputShape
  .superRefine(checkForm)
  .refine(...ofMaxBytes(maxFormBytes))
  .meta({ id: 'FormInput', description: formText, example: exampleForm });
