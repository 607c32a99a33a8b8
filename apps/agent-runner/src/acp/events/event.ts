import { z } from 'zod';
import { type Change, cutChange } from './cut-change.ts';

/** What an agent does in a turn: everything that is shown, kept or counted derives from these events. */
export type AgentEvent =
  | { kind: 'text' | 'thought'; text: string; messageId: string | undefined }
  | ToolEvent
  | { kind: 'plan'; entries: PlanEntry[] }
  | { kind: 'usage'; tokens: number | undefined; cost: Cost | undefined }
  | { kind: 'permission'; tool: string; title: string; isAllowed: boolean }
  | { kind: 'notice' | 'prompt' | 'question' | 'session' | 'stop'; text: string };

export type ToolEvent = {
  kind: 'tool';
  id: string;
  /** read, edit, delete, move, search, execute, think, fetch, …; undefined where the update does not say it. */
  type: string | undefined;
  /** The agent's own name of it. */
  name: string | undefined;
  title: string | undefined;
  status: string | undefined;
  /** All changes that it shows. */
  diffs: Change[] | undefined;
  /** The files that it reads or changes, as the agent names them; undefined where the update names none. */
  paths?: string[] | undefined;
  /** The last of what it printed. */
  output: string | undefined;
  /** What it printed since the last update. */
  printed?: string | undefined;
};
export type PlanEntry = { text: string; status: string };
export type Cost = { amount: number; currency: string };

/** Most of one text that is kept of a tool. */
export const maxToolText = 16_384;

const text = z.string().nullish();
const contentBlock = z.looseObject({ type: z.string(), text: text });
const toolContent = z.looseObject({
  type: z.string(),
  content: contentBlock.nullish(),
  path: text,
  oldText: text,
  newText: text,
});
const toolCall = z.looseObject({
  toolCallId: z.string(),
  kind: text,
  name: text,
  title: text,
  status: text,
  content: z.array(toolContent).nullish(),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .nullish()
    .catch(null),
  /** An extension: output while a command runs. */
  _meta: z
    .looseObject({ terminal_output_delta: z.looseObject({ data: z.string() }).nullish() })
    .nullish()
    .catch(null),
});
const cost = z.looseObject({ amount: z.number(), currency: z.string() });
const entry = z.looseObject({ content: z.string(), status: z.string() });

const chunk = z.looseObject({ content: contentBlock, messageId: text });
const shapes = {
  agent_message_chunk: chunk.transform(textOf('text')),
  agent_thought_chunk: chunk.transform(textOf('thought')),
  tool_call: toolCall.transform(toolOf),
  tool_call_update: toolCall.transform(toolOf),
  plan: z.looseObject({ entries: z.array(entry) }).transform(({ entries }) => planOf(entries)),
  usage_update: z
    .looseObject({ used: z.number().optional(), cost: cost.nullish() })
    .transform((update): AgentEvent => ({ kind: 'usage', tokens: update.used, cost: update.cost ?? undefined })),
  notice: z
    .looseObject({ title: z.string(), description: text })
    .transform((notice): AgentEvent => ({ kind: 'notice', text: [notice.title, notice.description ?? ''].join(' ') })),
};

/** The event of a `session/update`; undefined if it is of no use to the runner or cannot be parsed. */
export function eventOf(update: unknown): AgentEvent | undefined {
  const { sessionUpdate: kind = '' } = (update ?? {}) as { sessionUpdate?: string };
  if (!Object.hasOwn(shapes, kind)) return undefined;
  return shapes[kind as keyof typeof shapes].safeParse(update).data;
}

/** A tool call as a permission request shows it. */
export const toolEventOf = (call: unknown): ToolEvent | undefined => toolCall.transform(toolOf).safeParse(call).data;

/** All changes of files that a tool call shows, as long as they are. */
export const changesIn = (call: unknown): Change[] =>
  (toolCall.safeParse(call).data?.content ?? []).flatMap((part) => (part.type === 'diff' ? [changeOf(part)] : []));

function textOf(kind: 'text' | 'thought') {
  return ({ content, messageId }: z.infer<typeof chunk>): AgentEvent | undefined =>
    content.text ? { kind, text: content.text, messageId: messageId ?? undefined } : undefined;
}

const planOf = (entries: z.infer<typeof entry>[]): AgentEvent => ({
  kind: 'plan',
  entries: entries.map(({ content, status }) => ({ text: content, status })),
});

function toolOf(call: z.infer<typeof toolCall>): ToolEvent {
  const { toolCallId, kind, name, title, status, content, _meta: meta } = call;
  const diffs = content?.filter(({ type }) => type === 'diff').map((part) => cutChange(changeOf(part), maxToolText));
  const output = content?.flatMap((part) => part.content?.text ?? []).join('\n');
  return {
    kind: 'tool',
    id: toolCallId,
    type: kind ?? undefined,
    name: name ?? undefined,
    title: title ?? undefined,
    status: status ?? undefined,
    diffs: diffs?.length ? diffs : undefined,
    paths: pathsIn(call),
    output: output ? output.slice(-maxToolText) : undefined,
    printed: meta?.terminal_output_delta?.data,
  };
}

function pathsIn({ content, locations }: z.infer<typeof toolCall>): string[] | undefined {
  const changed = (content ?? []).flatMap(({ type, path }) => (type === 'diff' ? [path ?? ''] : []));
  const paths = [...(locations ?? []).map(({ path }) => path), ...changed];
  return paths.length > 0 ? paths : undefined;
}

const changeOf = ({ path, oldText, newText }: z.infer<typeof toolContent>): Change => ({
  path: path ?? '',
  oldText: oldText ?? '',
  newText: newText ?? '',
});
