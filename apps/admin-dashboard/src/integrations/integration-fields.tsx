import { type ComponentProps } from 'react';
import { TextArea, TextField } from '../parts/field.tsx';
import parts from '../parts/parts.module.css';
import { DraftArea, DraftText } from '../work/draft-fields.tsx';
import type { Integration, IntegrationType } from './integration-words.ts';

type FieldSpec = {
  name: string;
  label: string;
  hint?: string;
  kind: 'text' | 'secret' | 'list' | 'map' | 'number' | 'flag';
  isRequired?: boolean;
};

const silence: FieldSpec = {
  name: 'silence_alarm_hours',
  label: 'Alarm after hours of silence',
  hint: 'Empty: no alarm.',
  kind: 'number',
};
const token: FieldSpec = {
  name: 'token',
  label: 'Token',
  hint: 'For calls to the other system. It is not shown again.',
  kind: 'secret',
};

const specs: Readonly<Record<IntegrationType, readonly FieldSpec[]>> = {
  taskplatform: [
    { name: 'webhook_id', label: 'Webhook ID', hint: 'Empty: every webhook that the secret signs.', kind: 'text' },
    token,
    { name: 'team_id', label: 'Workspace ID', kind: 'text' },
    {
      name: 'status_map',
      label: 'Status words',
      hint: 'One a line: word = open, completed, cancelled or hold.',
      kind: 'map',
    },
    { name: 'assignee_map', label: 'Assignees', hint: 'One a line: user = role or ID of an agent.', kind: 'map' },
    silence,
  ],
  github: [
    { name: 'org_name', label: 'Organisation or user', kind: 'text', isRequired: true },
    { name: 'repositories', label: 'Repositories', hint: 'Separated by commas. Empty: all.', kind: 'list' },
    { name: 'labels', label: 'Labels', hint: 'One a line: label = role or ID of an agent.', kind: 'map' },
    { name: 'complete_on_merge', label: 'A merged pull request completes its task', kind: 'flag' },
    silence,
  ],
  slack: [
    { name: 'workspace_name', label: 'Workspace', kind: 'text', isRequired: true },
    { name: 'webhook_url', label: 'Incoming-webhook address', hint: 'It is not shown again.', kind: 'secret' },
    token,
    { name: 'channels', label: 'Channels', hint: 'Separated by commas; needs a token.', kind: 'list' },
    { name: 'signing_secret', label: 'Signing secret', hint: 'For answers by button.', kind: 'secret' },
    { name: 'events', label: 'Events', hint: 'Separated by commas: task.completed, workflow.*', kind: 'list' },
  ],
};

export type IntegrationFieldsProps = {
  type: IntegrationType;
  fields: Readonly<Record<string, string>>;
  /** With it, what is typed is kept under this name; without it the fields begin with what the integration has. */
  draft?: string;
  integration?: Integration;
};

export const IntegrationFields = ({ type, fields, draft, integration }: IntegrationFieldsProps) =>
  specs[type].map((spec) => (
    <Field key={spec.name} spec={spec} error={errorOf(fields, spec.name)} draft={draft} integration={integration} />
  ));

type FieldProps = {
  spec: FieldSpec;
  error: string | undefined;
  draft: string | undefined;
  integration: Integration | undefined;
};

function Field({ spec: { name, label, hint = '', kind, isRequired = false }, error, draft, integration }: FieldProps) {
  const value = integration?.[name as keyof Integration];
  const common = { name, label, hint, error, required: isRequired };
  if (kind === 'flag')
    return (
      <div className={parts['field']}>
        <label>
          <input type="checkbox" name={name} defaultChecked={value === true} /> {label}
        </label>
      </div>
    );
  if (kind === 'secret') {
    const kept = integration ? ' Empty: it stays as it is.' : '';
    return <TextField {...common} hint={hint + kept} type="password" autoComplete="off" />;
  }
  const more: ComponentProps<'input'> = kind === 'number' ? { type: 'number', min: 1, max: 8760 } : {};
  if (draft !== undefined)
    return kind === 'map' ? <DraftArea {...common} draft={draft} /> : <DraftText {...common} {...more} draft={draft} />;
  return kind === 'map' ? (
    <TextArea {...common} defaultValue={textOf(value)} />
  ) : (
    <TextField {...common} {...more} defaultValue={textOf(value)} />
  );
}

const errorOf = (fields: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(fields).find(
    ([field]) => field === name || (/^[.[]/.test(field.slice(name.length)) && field.startsWith(name)),
  )?.[1];

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, target]) => `${key} = ${typeof target === 'string' ? target : JSON.stringify(target)}`)
      .join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The fields of a form as the API takes them. What `integration` had and the form has not becomes null. */
export function bodyOf(type: IntegrationType, form: FormData, integration?: Integration): Record<string, unknown> {
  const entries = specs[type].map(({ name, kind }) => {
    const text = String(form.get(name) ?? '').trim();
    const had = integration?.[name as keyof Integration];
    if (kind === 'flag') return [name, form.get(name) === 'on'];
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

/** What can be changed of an integration, a field a line. */
export const describeFields = (integration: Integration): string =>
  specs[integration.type]
    .map(({ name, label }) => [label, textOf(integration[name as keyof Integration])])
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join('\n');
