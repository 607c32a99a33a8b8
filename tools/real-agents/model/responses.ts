// OpenAI Responses.
import { type Api, type Frames, type Reply, type Tool, usage } from './conversation.ts';

type Item = { type?: string; role?: string; content?: string | { text?: string }[]; output?: unknown };
type Offered = { type: string; name?: string; parameters?: object; tools?: Offered[] };
type Body = { model: string; input: string | Item[]; tools?: Offered[]; stream?: boolean; text?: { format?: unknown } };

const textOf = ({ content = '' }: Item): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
const itemsOf = (input: Body['input']): Item[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input;
const isStep = ({ type = 'message', role }: Item): boolean =>
  (type === 'message' && role === 'assistant') || type.endsWith('_call');

/** Codex returns from a command that takes long, and its model asks for the rest with another tool. */
function runningIn(items: readonly Item[]): { running?: number } {
  const { output } = items.findLast(({ type }) => type?.endsWith('_call_output')) ?? {};
  const [, id] = /Process running with session ID (\d+)/.exec(JSON.stringify(output ?? '')) ?? [];
  return id === undefined ? {} : { running: Number(id) };
}

/** Tools may be in namespaces; a call then names the tool alone. */
const toolsOf = (offered: readonly Offered[]): Tool[] =>
  offered.flatMap(({ type, name, parameters = {}, tools }) =>
    tools ? toolsOf(tools) : type === 'function' && name !== undefined ? [{ name, parameters }] : [],
  );

const counts = {
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: usage.input + usage.output,
};

const itemOf = (reply: Reply): { type: string; id: string } & Record<string, unknown> =>
  'call' in reply
    ? {
        type: 'function_call',
        id: `fc_${reply.call.id}`,
        call_id: reply.call.id,
        name: reply.call.name,
        arguments: JSON.stringify(reply.call.arguments),
        status: 'completed',
      }
    : {
        type: 'message',
        id: `msg_${Math.random().toString(36).slice(2)}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply.text, annotations: [] }],
      };

const responseOf = (model: string, output: unknown[], status: string) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model,
  status,
  output,
  usage: status === 'completed' ? counts : null,
});

export const responses: Api = {
  matches: (path) => /\/responses$/.test(path),
  read(body: Body) {
    const { model, input, tools = [], stream = false, text } = body;
    const items = itemsOf(input);
    return {
      model,
      prompt: items
        .filter(({ role }) => role === 'user')
        .map(textOf)
        .join('\n'),
      steps: items.filter(isStep).length,
      tools: toolsOf(tools),
      isStream: stream,
      ...runningIn(items),
      schema: (text?.format as { schema?: unknown } | undefined)?.schema,
    };
  },
  body: (reply, { model }) => responseOf(model, [itemOf(reply)], 'completed'),
  frames(reply, { model }): Frames {
    const item = itemOf(reply);
    const inProgress = 'call' in reply ? { ...item, arguments: '', status: 'in_progress' } : { ...item, content: [] };
    const delta =
      'call' in reply
        ? { type: 'response.function_call_arguments.delta', delta: item['arguments'] }
        : { type: 'response.output_text.delta', content_index: 0, delta: reply.text };
    const frames = [
      { type: 'response.created', response: responseOf(model, [], 'in_progress') },
      { type: 'response.output_item.added', output_index: 0, item: inProgress },
      { ...delta, item_id: item.id, output_index: 0 },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: responseOf(model, [item], 'completed') },
    ];
    return frames.map((data, sequence) => ({ event: data.type, data: { ...data, sequence_number: sequence } }));
  },
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_exceeded' : 'server_error',
      code: status === 400 ? 'context_length_exceeded' : null,
      param: null,
    },
  }),
};
