import type { NewSessionEntry } from '@eas/contracts';
import { cut, maxText } from '../../transcript/text.ts';
import type { AgentEvent, Cost, PlanEntry, ToolEvent } from './event.ts';

/** Most that the service takes of a line, a name or a list. */
const [maxLine, maxName, maxWord, maxPath, maxSteps] = [2_000, 200, 64, 4_096, 100];

/** An event of an agent as an entry of the session of its task; undefined for one that says nothing. */
export function entryOf(event: AgentEvent): NewSessionEntry | undefined {
  switch (event.kind) {
    case 'text':
    case 'thought':
      return textEntry(event);
    case 'tool':
      return toolEntry(event);
    case 'plan':
      return { kind: 'plan', steps: event.entries.slice(0, maxSteps).map(stepOf) };
    case 'usage':
      return usageEntry(event);
    case 'permission':
      return {
        kind: 'permission',
        tool: cut(event.tool, maxName),
        title: cut(event.title, maxLine),
        is_allowed: event.isAllowed,
      };
    case 'prompt':
    case 'question':
      return { kind: event.kind, text: cut(event.text) };
    case 'notice':
    case 'session':
      return { kind: 'notice', text: cut(event.text) };
    case 'stop':
      return { kind: 'stop', reason: cut(event.text, maxLine) };
  }
}

function textEntry({
  kind,
  text,
  messageId,
}: Extract<AgentEvent, { messageId: unknown }>): NewSessionEntry | undefined {
  const said = cut(text);
  if (said === '') return undefined;
  return { kind, text: said, ...(messageId === undefined ? {} : { message_id: cut(messageId, maxName) }) };
}

function toolEntry({ id, type, name, title, status, diff, output }: ToolEvent): NewSessionEntry | undefined {
  const call = cut(id, maxName);
  if (call === '') return undefined;
  return {
    kind: 'tool',
    id: call,
    ...(type === undefined ? {} : { type: cut(type, maxWord) }),
    ...(name === undefined ? {} : { name: cut(name, maxName) }),
    ...(title === undefined ? {} : { title: cut(title, maxLine) }),
    ...(status === undefined ? {} : { status: cut(status, maxWord) }),
    ...(diff === undefined ? {} : { diff: diffOf(diff) }),
    ...(output === undefined ? {} : { output: cut(output.slice(-maxText)) }),
  };
}

const diffOf = ({ path, oldText, newText }: NonNullable<ToolEvent['diff']>) => ({
  path: cut(path, maxPath) || '?',
  old_text: cut(oldText),
  new_text: cut(newText),
});

const stepOf = ({ text, status }: PlanEntry) => ({ text: cut(text, maxLine), status: cut(status, maxWord) });

function usageEntry({ tokens, cost }: { tokens: number | undefined; cost: Cost | undefined }): NewSessionEntry {
  const isMoney = cost !== undefined && cost.amount >= 0 && cost.amount <= 1e9 && /^[A-Z]{3}$/.test(cost.currency);
  return {
    kind: 'usage',
    ...(Number.isSafeInteger(tokens) && tokens !== undefined && tokens >= 0 ? { tokens } : {}),
    ...(isMoney ? { cost: { amount: cost.amount, currency: cost.currency } } : {}),
  };
}
