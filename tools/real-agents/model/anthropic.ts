// Anthropic Messages.
import { type Api, type Conversation, type Frames, type Reply, usage } from './conversation.ts';

type Block = { type: string; text?: string; content?: unknown };
type Message = { role: string; content: string | Block[] };
type Body = {
  model: string;
  messages: Message[];
  tools?: { name: string; input_schema?: object }[];
  stream?: boolean;
};

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const counts = { input_tokens: usage.input, output_tokens: usage.output };
const messageOf = ({ model }: Conversation) => ({
  id: `msg_${Math.random().toString(36).slice(2)}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
});
const stopOf = (reply: Reply) => ('call' in reply ? 'tool_use' : 'end_turn');

export const anthropic: Api = {
  matches: (path) => /\/messages$/.test(path),
  read(body: Body) {
    const { model, messages, tools = [], stream = false } = body;
    const texts = messages.filter(({ role }) => role === 'user').flatMap(blocksOf);
    const steps = messages.filter(({ role }) => role === 'assistant').flatMap(blocksOf);
    return {
      model,
      prompt: texts.map(({ text = '' }) => text).join('\n'),
      steps: steps.filter(({ type }) => type === 'text' || type === 'tool_use').length,
      tools: tools.map(({ name, input_schema: parameters = {} }) => ({ name, parameters })),
      isStream: stream,
    };
  },
  body(reply, conversation) {
    const block =
      'call' in reply
        ? { type: 'tool_use', id: reply.call.id, name: reply.call.name, input: reply.call.arguments }
        : { type: 'text', text: reply.text };
    return { ...messageOf(conversation), content: [block], stop_reason: stopOf(reply), usage: counts };
  },
  frames(reply, conversation): Frames {
    const message = {
      ...messageOf(conversation),
      content: [],
      stop_reason: null,
      usage: { ...counts, output_tokens: 0 },
    };
    const [block, delta] =
      'call' in reply
        ? [
            { type: 'tool_use', id: reply.call.id, name: reply.call.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(reply.call.arguments) },
          ]
        : [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.text },
          ];
    const frames = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stopOf(reply), stop_sequence: null }, usage: counts },
      { type: 'message_stop' },
    ];
    return frames.map((data) => ({ event: data.type, data }));
  },
  error: (status, message) => ({
    type: 'error',
    error: {
      type: status === 429 ? 'rate_limit_error' : status === 400 ? 'invalid_request_error' : 'api_error',
      message,
    },
  }),
};
