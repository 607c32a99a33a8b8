import { agentForm, type Question } from './form.ts';

const known = [
  'type',
  'title',
  'description',
  'enum',
  'oneOf',
  'minLength',
  'maxLength',
  'format',
  'default',
  'minimum',
  'maximum',
  'items',
  'anyOf',
  'const',
  'minItems',
  'maxItems',
];

/** The form of an agent as one question. Undefined for one that has no fields. */
export function formQuestion(message: string, schema: unknown): Question | undefined {
  const { data } = agentForm.safeParse(schema);
  if (!data || Object.keys(data.properties).length === 0) return undefined;
  const properties = Object.entries(data.properties).map(([name, one]) => [name, withoutUnknown(one)]);
  const { required } = data;
  const asked = { type: 'object', properties: Object.fromEntries(properties), ...(required ? { required } : {}) };
  return { kind: 'form', prompt: message, form: asked };
}

/** Without nulls, and without what agents add of their own. */
function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, one]) => known.includes(key) && one !== null && one !== undefined);
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutUnknown(one)]));
}
