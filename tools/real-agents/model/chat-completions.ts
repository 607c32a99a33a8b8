// OpenAI Chat Completions.
import { type Api, type Frames, type Reply, usage } from './conversation.ts';

type Message = { role: string; content?: string | { text?: string }[] | null; tool_calls?: unknown[] };
type Body = {
  model: string;
  messages: Message[];
  tools?: { function: { name: string; parameters?: object } }[];
  stream?: boolean;
  response_format?: { json_schema?: { schema?: unknown } };
};

const textOf = ({ content }: Message): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
const counts = {
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
};

const messageOf = (reply: Reply) =>
  'call' in reply
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            index: 0,
            id: reply.call.id,
            type: 'function',
            function: { name: reply.call.name, arguments: JSON.stringify(reply.call.arguments) },
          },
        ],
      }
    : { role: 'assistant', content: reply.text };
const finishOf = (reply: Reply) => ('call' in reply ? 'tool_calls' : 'stop');

export const chatCompletions: Api = {
  matches: (path) => /\/chat\/completions$/.test(path),
  read(body: Body) {
    const { model, messages, tools = [], stream = false, response_format: format } = body;
    const own = messages.filter(({ role }) => role === 'assistant');
    return {
      model,
      prompt: messages
        .filter(({ role }) => role === 'user')
        .map(textOf)
        .join('\n'),
      steps: own.reduce((sum, { tool_calls: calls = [] }) => sum + Math.max(1, calls.length), 0),
      tools: tools.map(({ function: { name, parameters = {} } }) => ({ name, parameters })),
      isStream: stream,
      schema: format?.json_schema?.schema,
    };
  },
  body: (reply, { model }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: messageOf(reply), finish_reason: finishOf(reply) }],
    usage: counts,
  }),
  frames(reply, { model }): Frames {
    const chunk = (delta: object, finish: string | null) => ({
      data: {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model,
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    const { data: end } = chunk({}, finishOf(reply));
    return [chunk(messageOf(reply), null), { data: { ...end, usage: counts } }, { data: '[DONE]' }];
  },
  error: (status, message) => ({
    error: { message, type: 'error', code: status === 400 ? 'context_length_exceeded' : String(status) },
  }),
};
