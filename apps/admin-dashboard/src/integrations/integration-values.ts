import type { Texts } from '../resources/edit/versions.ts';
import type { Integration, IntegrationType } from '../resources/integrations/integration-names.ts';
import { specs } from './integration-specs.ts';
import { reportingLabels, reportingOf, reportingTexts } from './reporting.ts';
import { textIn } from '../resources/edit/text-in.ts';

const valueOf = (integration: Integration | undefined, name: string): unknown =>
  integration?.[name as keyof Integration];

/** The settings of an integration as texts of form fields, without secrets. */
export const textsOf = (integration: Integration): Texts =>
  Object.assign(
    {},
    ...specs[integration.type].map(({ name, kind }) => {
      if (kind === 'secret') return {};
      return kind === 'reporting'
        ? reportingTexts(integration.write_back)
        : { [name]: textOf(valueOf(integration, name)) };
    }),
  ) as Texts;

/** The labels of the fields of `textsOf`. */
export const labelsOf = (type: IntegrationType): Texts =>
  Object.assign(
    {},
    ...specs[type].map(({ name, kind, label }) => {
      if (kind === 'secret') return {};
      return kind === 'reporting' ? reportingLabels : { [name]: label };
    }),
  ) as Texts;

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, target]) => `${key} = ${String(target)}`)
      .join('\n');
  if (typeof value === 'boolean') return value ? 'on' : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The fields of a form as the API takes them. Settings of `before` that are missing in the form become null. */
export function bodyOf(type: IntegrationType, form: FormData, before?: Integration): Record<string, unknown> {
  const entries = specs[type].map(({ name, kind }) => {
    const text = textIn(form, name);
    const had = valueOf(before, name);
    if (kind === 'flag') return [name, text === 'on'];
    if (kind === 'reporting') return [name, reportingOf(form, before === undefined)];
    if (kind === 'map') return [name, mapOf(text, had)];
    if (text === '') return [name, had === undefined || kind === 'secret' ? undefined : null];
    if (kind === 'number') return [name, Number(text)];
    return [name, kind === 'list' ? listOf(text, ',') : text];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

const listOf = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function mapOf(text: string, had: unknown): Record<string, unknown> | undefined {
  const lines = listOf(text, '\n').map((line): [string, string] => {
    const at = line.lastIndexOf('=');
    return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  const now = Object.fromEntries(lines);
  const before = typeof had === 'object' && had !== null ? Object.keys(had) : [];
  if (lines.length === 0 && before.length === 0) return undefined;
  const removed = before.filter((key) => !Object.hasOwn(now, key));
  return { ...now, ...Object.fromEntries(removed.map((key) => [key, null])) };
}
