import type { ProviderId } from '../presets/model-access.ts';

/** Tokens that one message of a response reports; later messages replace what earlier ones said. */
export type Usage = { input: number; output: number; cacheRead: number; cacheWrite: number };

type Json = Record<string, unknown>;

export type CallFacts = { model: string; maxOutput: number };

/** How a provider is asked for text, and how it says what that used. */
export type WireFormat = {
  provider: ProviderId;
  /** Whether a POST to this path, behind the base address, is a call that costs. */
  isCall(path: string): boolean;
  factsOf(body: Json, path: string): CallFacts;
  /** The body as it is sent; the same where nothing has to be asked for. */
  prepare(body: Json): Json;
  usageIn(message: Json): Partial<Usage> | undefined;
  /** Whether a message of a stream is the last that says something about usage. */
  isFinal(message: Json): boolean;
  /** A refusal as the provider itself would word it. */
  refusal(message: string): Json;
};

/** A call that names no limit may write so much: more than any model does today. */
const defaultMaxOutput = 128_000;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const part = (value: unknown, name: string): Json => {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
};
const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
const text = (value: unknown): string => (typeof value === 'string' && value.trim() !== '' ? value : 'unknown');
const least = (value: number | undefined, taken: number | undefined) =>
  value === undefined ? undefined : Math.max(0, value - (taken ?? 0));

/** Without what is not said. */
function said(usage: Record<keyof Usage, number | undefined>): Partial<Usage> | undefined {
  const entries = Object.entries(usage).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<Usage>);
}

const asIs = (body: Json): Json => body;
const openAiRefusal = (message: string): Json => ({
  error: { message, type: 'budget_exhausted', code: 'budget_exhausted', param: null },
});

const messages: WireFormat = {
  provider: 'anthropic',
  isCall: (path) => /^\/v1\/messages$/.test(path),
  factsOf: ({ model, max_tokens: max }) => ({ model: text(model), maxOutput: count(max) ?? defaultMaxOutput }),
  prepare: asIs,
  usageIn(message) {
    const usage =
      message['type'] === 'message_start' ? part(part(message, 'message'), 'usage') : part(message, 'usage');
    return said({
      input: count(usage['input_tokens']),
      output: count(usage['output_tokens']),
      cacheRead: count(usage['cache_read_input_tokens']),
      cacheWrite: count(usage['cache_creation_input_tokens']),
    });
  },
  isFinal: ({ type }) => type === 'message_delta' || type === 'message_stop',
  refusal: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

const responses: WireFormat = {
  provider: 'openai',
  isCall: (path) => /^\/responses(\/compact)?$/.test(path),
  factsOf: ({ model, max_output_tokens: max }) => ({ model: text(model), maxOutput: count(max) ?? defaultMaxOutput }),
  prepare: asIs,
  usageIn(message) {
    const usage = isObject(message['response']) ? part(message['response'], 'usage') : part(message, 'usage');
    const cached = count(part(usage, 'input_tokens_details')['cached_tokens']);
    const input = least(count(usage['input_tokens']), cached);
    return said({ input, output: count(usage['output_tokens']), cacheRead: cached, cacheWrite: undefined });
  },
  isFinal: ({ type }) => /^response\.(completed|incomplete|failed)$/.test(String(type)),
  refusal: openAiRefusal,
};

const chatCompletions: WireFormat = {
  provider: 'openai',
  isCall: (path) => /^\/chat\/completions$/.test(path),
  factsOf({ model, max_tokens: max, max_completion_tokens: maxCompletion, n }) {
    const most = count(maxCompletion) ?? count(max) ?? defaultMaxOutput;
    return { model: text(model), maxOutput: most * Math.max(1, count(n) ?? 1) };
  },
  // Streams say what they used only if they are asked to.
  prepare: (body) =>
    body['stream'] === true
      ? { ...body, stream_options: { ...part(body, 'stream_options'), include_usage: true } }
      : body,
  usageIn(message) {
    const usage = part(message, 'usage');
    const cached = count(part(usage, 'prompt_tokens_details')['cached_tokens']);
    const input = least(count(usage['prompt_tokens']), cached);
    return said({ input, output: count(usage['completion_tokens']), cacheRead: cached, cacheWrite: undefined });
  },
  isFinal: ({ usage, choices }) => isObject(usage) && Array.isArray(choices) && choices.length === 0,
  refusal: openAiRefusal,
};

const generateContent: WireFormat = {
  provider: 'gemini',
  isCall: (path) => /^\/v1(beta|alpha)?\/models\/[^/]+:(generateContent|streamGenerateContent)$/.test(path),
  factsOf(body, path) {
    // The provider takes both spellings of its names.
    const config = { ...part(body, 'generation_config'), ...part(body, 'generationConfig') };
    const model = /\/models\/([^/:]+):/.exec(path)?.[1] ?? '';
    const most = count(config['maxOutputTokens'] ?? config['max_output_tokens']) ?? defaultMaxOutput;
    const candidates = count(config['candidateCount'] ?? config['candidate_count']) ?? 1;
    return { model: text(decodeURIComponent(model)), maxOutput: most * Math.max(1, candidates) };
  },
  prepare: asIs,
  usageIn(message) {
    const usage = part(message, 'usageMetadata');
    const cached = count(usage['cachedContentTokenCount']);
    const [prompt, tools] = [count(usage['promptTokenCount']), count(usage['toolUsePromptTokenCount'])];
    const [candidates, thoughts] = [count(usage['candidatesTokenCount']), count(usage['thoughtsTokenCount'])];
    const sum = (a: number | undefined, b: number | undefined) =>
      a === undefined && b === undefined ? a : (a ?? 0) + (b ?? 0);
    return said({
      input: least(sum(prompt, tools), cached),
      output: sum(candidates, thoughts),
      cacheRead: cached,
      cacheWrite: undefined,
    });
  },
  isFinal: ({ candidates }) =>
    Array.isArray(candidates) && candidates.some((one) => isObject(one) && one['finishReason']),
  refusal: (message) => ({ error: { code: 400, message, status: 'FAILED_PRECONDITION' } }),
};

export const wireFormats: readonly WireFormat[] = [messages, responses, chatCompletions, generateContent];

/** Requests that cost nothing and agents make: counting tokens, and which models there are. */
export function isFree(method: string, path: string): boolean {
  if (method === 'GET') return /^\/(v1(beta)?\/)?models(\/[\w.:@-]+)?$/.test(path);
  return method === 'POST' && /(^\/v1\/messages\/count_tokens|\/models\/[^/]+:countTokens)$/.test(path);
}
