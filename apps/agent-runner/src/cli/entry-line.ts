import { oneLine } from './output.ts';

/** An entry of a task's timeline, as the stream sends it. */
export type Entry = { type: string; timestamp: string; actor?: string | null } & Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? oneLine(value, 200) : '');

const lines: Record<string, (entry: Entry) => string> = {
  created: () => 'created',
  status_change: ({ from, to, reason }) => `${text(from)} → ${text(to)}${reason ? `: ${text(reason)}` : ''}`,
  comment: ({ content }) => text(content),
  assignment: ({ assigned_agent: agent }) => (agent ? `planned for ${text(agent)}` : 'planned for no agent'),
  progress: ({ percent_complete: percent }) => (typeof percent === 'number' ? `${percent} %` : ''),
  input: ({ prompt }) => `asks: ${text(prompt)}`,
  answer: ({ answer, decision, expired }) =>
    expired ? 'no answer came in time' : `answer: ${text(answer ?? decision)}`,
  message: ({ content }) => `message: ${text(content)}`,
  artifact: ({ kind, title, url }) => [text(kind), text(title), text(url)].filter((part) => part !== '').join('  '),
  handoff: ({ to_role: role, to_agent: agent }) => `handed over to ${text(role ?? agent)}`,
  pull_request: ({ action, url }) => `pull request ${text(action)}  ${text(url)}`,
};

/** One line for people; undefined for an entry that says nothing to them. */
export function lineOf(entry: Entry): string | undefined {
  const said = Object.hasOwn(lines, entry.type) ? lines[entry.type]?.(entry) : undefined;
  return said ? `${entry.timestamp.slice(0, 19).replace('T', ' ')}  ${said}` : undefined;
}
