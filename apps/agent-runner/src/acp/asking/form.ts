import type { FormContent } from '@eas/contracts';
import { z } from 'zod';

/** One thing to ask a person, as the service takes it. */
export type Question =
  | { kind: 'question' | 'choice'; prompt: string; options: string[] }
  /** `form`: without what only the agent knows; whether it fits is for the service to say. */
  | { kind: 'form'; prompt: string; form: object };
export type Answer = {
  answer: string | undefined;
  content: FormContent | undefined;
  comment: string | undefined;
};

/** What a person filled into a form, as the service gives it. */
export const filledForm = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** A field of a form that is asked for alone: its question, and what an answer means for it. */
export type Field = {
  name: string;
  question: Extract<Question, { options: string[] }>;
  /** Undefined for an answer that does not fit. */
  valueOf(answer: Answer): Value | undefined;
  /** The field next to it for what a person adds in their own words. */
  note: string | undefined;
};
type Value = FormContent[string];

const text = z.string().nullish();
const choice = z.looseObject({ const: z.string(), title: text });
const property = z.looseObject({
  type: z.string().catch('string'),
  title: text,
  description: text,
  enum: z.array(z.string()).nullish(),
  oneOf: z.array(choice).nullish(),
  items: z.looseObject({ enum: z.array(z.string()).nullish(), anyOf: z.array(choice).nullish() }).nullish(),
});
type Property = z.infer<typeof property>;
/** A form of an agent, as far as it can be read. */
export const agentForm = z.looseObject({
  properties: z.record(z.string(), property),
  required: z.array(z.string()).nullish().catch(undefined),
});

/** Most fields that a person is asked for. */
const maxFields = 10;
const maxOptions = 20;
const maxOptionLength = 500;

/** The questions of a form, one for each field. Undefined for one that a person cannot be asked. */
export function fieldsOf(message: string, schema: unknown): Field[] | undefined {
  const { data } = agentForm.safeParse(schema);
  const properties = Object.entries(data?.properties ?? {});
  const names = properties.map(([name]) => name);
  const asked = properties.filter(([name]) => !isNote(name, names));
  if (asked.length === 0 || asked.length > maxFields) return undefined;
  return asked.map(([name, one]) => ({
    name,
    question: questionOf(asked.length === 1 ? message : `${message}\n${one.title ?? name}`, one),
    valueOf: (answer) => valueOf(one, answer),
    note: names.find((other) => other === `${name}_custom`),
  }));
}

/** Agents put a field for free words next to one with choices. */
const isNote = (name: string, names: readonly string[]) =>
  name.endsWith('_custom') && names.includes(name.slice(0, -'_custom'.length));

type Option = { value: string; label: string };

function optionsOf({ type, enum: values, oneOf, items }: Property): Option[] {
  if (type === 'boolean') return ['yes', 'no'].map((value) => ({ value, label: value }));
  const listed = oneOf ?? items?.anyOf;
  if (listed) return listed.map(({ const: value, title }) => ({ value, label: title || value }));
  return (values ?? items?.enum ?? []).map((value) => ({ value, label: value }));
}

function questionOf(message: string, one: Property): Extract<Question, { options: string[] }> {
  const labels = optionsOf(one).map(({ label }) => label);
  const prompt = [message, one.description].filter((part) => part).join('\n');
  if (one.type !== 'array' && fitsChoice(labels)) return { kind: 'choice', prompt, options: labels };
  const hint = one.type === 'array' ? 'Several are possible, separated by commas' : 'One of these';
  return {
    kind: 'question',
    prompt: labels.length > 0 ? `${prompt}\n${hint}: ${labels.join(', ')}` : prompt,
    options: [],
  };
}

const fitsChoice = (labels: readonly string[]) =>
  labels.length >= 2 &&
  labels.length <= maxOptions &&
  new Set(labels).size === labels.length &&
  labels.every((label) => label.trim() !== '' && label.length <= maxOptionLength);

function valueOf(one: Property, { answer }: Answer): Value | undefined {
  if (answer === undefined) return undefined;
  const options = optionsOf(one);
  const chosen = (said: string) => options.find(({ label, value }) => [label, value].includes(said.trim()))?.value;
  switch (one.type) {
    case 'boolean':
      return answer === 'yes';
    case 'number':
    case 'integer':
      return Number.isFinite(Number(answer)) ? Number(answer) : undefined;
    case 'array':
      return answer.split(',').flatMap((said) => chosen(said) ?? []);
    default:
      return options.length > 0 ? (chosen(answer) ?? answer) : answer;
  }
}
