import type { Schemas } from '../api/client.ts';

type Entry = Schemas['TaskTimelineEntry'];
type NameOf = (id: string) => string;

const skipped = ['id', 'seq', 'type', 'timestamp', 'actor', 'input_id', 'artifact_id', 'lease_id'];

/** The sentence of an entry; new kinds show their fields. `nameOf` returns the name of an ID. */
export function detailOf(entry: Entry, nameOf: NameOf): string {
  if (entry.type === 'comment' || entry.type === 'message') return entry.content;
  if (entry.type === 'status_change') return `${entry.from} → ${entry.to}${entry.reason ? ` (${entry.reason})` : ''}`;
  const fields = Object.entries(entry).filter(([name, value]) => !skipped.includes(name) && !isEmpty(value));
  return fields.map(([name, value]) => `${wordsOf(name)}: ${textOf(value, nameOf)}`).join('\n');
}

const wordsOf = (name: string): string => name.replaceAll('_', ' ');
const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

function textOf(value: unknown, nameOf: NameOf): string {
  if (Array.isArray(value)) return value.map((one) => textOf(one, nameOf)).join(', ');
  if (typeof value !== 'object' || value === null) return nameOf(String(value));
  if ('name' in value && 'completed' in value) return `${value.completed === true ? '✓' : '○'} ${String(value.name)}`;
  return Object.entries(value)
    .map(([name, part]) => `${wordsOf(name)} ${textOf(part, nameOf)}`)
    .join(', ');
}
