import type { NewSessionEntry } from '@eas/contracts';
import { cutText, maxText } from '../../clean-text.ts';
import { type AgentEvent, type Cost, maxToolText, type PlanEntry, type ToolEvent } from './event.ts';

/** Most that the service takes of a line, a name or a list. */
const [maxLine, maxName, maxWord, maxPath, maxSteps] = [2_000, 200, 64, 4_096, 100];

/** Of the changes of a tool call. Their paths alone can take 80 KiB. */
const [maxDiffs, maxDiffBytes] = [20, 112 * 1_024];

/** Converts an event of an agent to a session entry of its task; undefined for an empty one. */
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
        tool: cutText(event.tool, maxName),
        title: cutText(event.title, maxLine),
        is_allowed: event.isAllowed,
      };
    case 'prompt':
    case 'question':
      return { kind: event.kind, text: cutText(event.text) };
    case 'notice':
    case 'session':
      return { kind: 'notice', text: cutText(event.text) };
    case 'stop':
      return { kind: 'stop', reason: cutText(event.text, maxLine) };
  }
}

function textEntry({
  kind,
  text,
  messageId,
}: Extract<AgentEvent, { messageId: unknown }>): NewSessionEntry | undefined {
  const said = cutText(text);
  if (said === '') return undefined;
  return { kind, text: said, ...(messageId === undefined ? {} : { message_id: cutText(messageId, maxName) }) };
}

function toolEntry({ id, type, name, title, status, diffs, output }: ToolEvent): NewSessionEntry | undefined {
  const call = cutText(id, maxName);
  if (call === '') return undefined;
  return {
    kind: 'tool',
    id: call,
    ...(type === undefined ? {} : { type: cutText(type, maxWord) }),
    ...(name === undefined ? {} : { name: cutText(name, maxName) }),
    ...(title === undefined ? {} : { title: cutText(title, maxLine) }),
    ...(status === undefined ? {} : { status: cutText(status, maxWord) }),
    ...(diffs === undefined ? {} : diffsOf(diffs)),
    ...(output === undefined ? {} : { output: cutText(output.slice(-maxText)) }),
  };
}

/** The same number of changes as in a permission, with texts shortened until they fit. */
function diffsOf(diffs: NonNullable<ToolEvent['diffs']>, length = maxToolText): Pick<ToolEntry, 'diff' | 'more_diffs'> {
  const [diff, ...more] = diffs.slice(0, maxDiffs).map(({ path, oldText, newText }) => ({
    path: cutText(path, maxPath) || '?',
    old_text: cutText(oldText, length),
    new_text: cutText(newText, length),
  }));
  if (!diff) return {};
  const shown = { diff, ...(more.length > 0 ? { more_diffs: more } : {}) };
  const isLarge = Buffer.byteLength(JSON.stringify(shown)) > maxDiffBytes;
  return isLarge && length > 0 ? diffsOf(diffs, Math.floor(length / 2)) : shown;
}

type ToolEntry = Extract<NewSessionEntry, { kind: 'tool' }>;

const stepOf = ({ text, status }: PlanEntry) => ({ text: cutText(text, maxLine), status: cutText(status, maxWord) });

function usageEntry({ tokens, cost }: { tokens: number | undefined; cost: Cost | undefined }): NewSessionEntry {
  const isMoney = cost !== undefined && cost.amount >= 0 && cost.amount <= 1e9 && /^[A-Z]{3}$/.test(cost.currency);
  return {
    kind: 'usage',
    ...(Number.isSafeInteger(tokens) && tokens !== undefined && tokens >= 0 ? { tokens } : {}),
    ...(isMoney ? { cost: { amount: cost.amount, currency: cost.currency } } : {}),
  };
}
