// Gemini: generateContent and streamGenerateContent.
import { type Api, type Frames, type Reply, type Tool, usage } from './conversation.ts';

type Part = { text?: string; functionCall?: unknown; thought?: boolean };
type Content = { role?: string; parts?: Part[] };
type Declaration = { name: string; parameters?: object; parametersJsonSchema?: object };
type Body = {
  contents: Content[];
  tools?: { functionDeclarations?: Declaration[] }[];
  generationConfig?: { responseJsonSchema?: unknown; responseSchema?: unknown };
};

const counts = {
  promptTokenCount: usage.input,
  candidatesTokenCount: usage.output,
  totalTokenCount: usage.input + usage.output,
};
const partOf = (reply: Reply) =>
  'call' in reply ? { functionCall: { name: reply.call.name, args: reply.call.arguments } } : { text: reply.text };
const responseOf = (reply: Reply) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [partOf(reply)] }, finishReason: 'STOP' }],
  usageMetadata: counts,
});
const toolOf = ({ name, parameters, parametersJsonSchema }: Declaration): Tool => ({
  name,
  parameters: parametersJsonSchema ?? parameters ?? {},
});

export const gemini: Api = {
  matches: (path) => /:(generateContent|streamGenerateContent)$/.test(path),
  read(body: Body, path) {
    const { contents, tools = [], generationConfig: config } = body;
    const partsOf = (role: string) =>
      contents.filter((content) => (content.role ?? 'user') === role).flatMap(({ parts = [] }) => parts);
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      prompt: partsOf('user')
        .map(({ text = '' }) => text)
        .join('\n'),
      steps: partsOf('model').filter(({ text, functionCall, thought }) => functionCall ?? (text && !thought)).length,
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(toolOf)),
      isStream: path.endsWith('streamGenerateContent'),
      schema: config?.responseJsonSchema ?? config?.responseSchema,
    };
  },
  body: responseOf,
  frames: (reply): Frames => [{ data: responseOf(reply) }],
  error: (code, message) => ({
    error: {
      code,
      message,
      status: code === 429 ? 'RESOURCE_EXHAUSTED' : code === 400 ? 'INVALID_ARGUMENT' : 'INTERNAL',
    },
  }),
};
