import { describe, expect, it } from '@jest/globals';
import { createUsageReader } from './usage-reader.ts';
import { isFree, type Usage, wireFormats } from './wire-formats.ts';

const [messages, responses, chatCompletions, generateContent] = wireFormats;
type Format = NonNullable<typeof messages>;
const stream = (...frames: unknown[]) =>
  frames.map((frame) => `event: e\ndata: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('');
const used: Usage = { input: 100, output: 12, cacheRead: 30, cacheWrite: 0 };

/** Streams and bodies as the providers send them. */
const recorded: [
  name: string,
  format: Format | undefined,
  isStream: boolean,
  body: string,
  usage: Usage | undefined,
][] = [
  [
    'a stream of Anthropic Messages',
    messages,
    true,
    stream(
      {
        type: 'message_start',
        message: {
          usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 30, cache_creation_input_tokens: 5 },
        },
      },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Grüße 🚪 "usage": {"input_tokens": 9}' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 12 } },
      { type: 'message_stop' },
    ),
    { ...used, cacheWrite: 5 },
  ],
  [
    'a body of Anthropic Messages',
    messages,
    false,
    JSON.stringify(
      {
        content: [],
        usage: { input_tokens: 100, output_tokens: 12, cache_read_input_tokens: 30, cache_creation_input_tokens: 0 },
      },
      undefined,
      2,
    ),
    used,
  ],
  [
    'a stream of OpenAI Responses',
    responses,
    true,
    stream(
      { type: 'response.created', response: { usage: null } },
      { type: 'response.output_text.delta', delta: 'ü' },
      {
        type: 'response.completed',
        response: { usage: { input_tokens: 130, input_tokens_details: { cached_tokens: 30 }, output_tokens: 12 } },
      },
    ),
    used,
  ],
  [
    'a stream of Chat Completions',
    chatCompletions,
    true,
    stream(
      { choices: [{ delta: { content: '🚪' } }], usage: null },
      {
        choices: [],
        usage: { prompt_tokens: 130, prompt_tokens_details: { cached_tokens: 30 }, completion_tokens: 12 },
      },
      '[DONE]',
    ),
    used,
  ],
  [
    'a stream of Gemini',
    generateContent,
    true,
    stream(
      { candidates: [], usageMetadata: { promptTokenCount: 130, totalTokenCount: 130 } },
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 130,
          cachedContentTokenCount: 30,
          candidatesTokenCount: 8,
          thoughtsTokenCount: 4,
        },
      },
    ),
    used,
  ],
  [
    'a list of Gemini',
    generateContent,
    false,
    JSON.stringify([
      { candidates: [] },
      { usageMetadata: { promptTokenCount: 130, cachedContentTokenCount: 30, candidatesTokenCount: 12 } },
    ]),
    used,
  ],
  ['a stream that is cut before it says', messages, true, stream({ type: 'ping' }), undefined],
  ['something that is not JSON', responses, false, '<html>', undefined],
];

describe.each(recorded)('%s', (_name, format, isStream, body, usage) => {
  it('says what was used, wherever it is split', () => {
    if (!format) throw new Error('no such format');
    const bytes = Buffer.from(body);
    for (let at = 0; at <= bytes.length; at += 1) {
      const reader = createUsageReader(format, { isStream });
      reader.add(bytes.subarray(0, at));
      reader.add(bytes.subarray(at));
      expect(reader.end()).toEqual(usage);
    }
    const byByte = createUsageReader(format, { isStream });
    for (const byte of bytes) byByte.add(Buffer.from([byte]));
    expect(byByte.end()).toEqual(usage);
  });

  it('is known to have said all where its stream has', () => {
    if (!format) throw new Error('no such format');
    const reader = createUsageReader(format, { isStream });
    reader.add(Buffer.from(body.slice(0, body.length / 4)));
    expect(reader.isFinal()).toBe(false);
    reader.add(Buffer.from(body.slice(body.length / 4)));
    expect(reader.isFinal()).toBe(isStream && usage !== undefined);
  });

  it('says it also with other ends of lines', () => {
    if (!format || !isStream) return;
    const reader = createUsageReader(format, { isStream });
    reader.add(Buffer.from(body.replaceAll('\n', '\r\n')));
    expect(reader.end()).toEqual(usage);
  });
});

it('a line of a stream that is too long is left out, and what follows is read', () => {
  const reader = createUsageReader(messages as Format, { isStream: true });
  const chunk = Buffer.alloc(1_024 * 1_024, 'x');
  reader.add(Buffer.from('data: '));
  for (let n = 0; n < 40; n += 1) reader.add(chunk);
  reader.add(Buffer.from(`\n\n${stream({ type: 'message_delta', usage: { input_tokens: 1, output_tokens: 2 } })}`));
  expect(reader.end()).toEqual({ input: 1, output: 2, cacheRead: 0, cacheWrite: 0 });
});

describe('a request', () => {
  it('names its model and the most that it may write', () => {
    expect(messages?.factsOf({ model: 'm', max_tokens: 5 }, '')).toEqual({ model: 'm', maxOutput: 5 });
    expect(responses?.factsOf({ model: 'm' }, '')).toEqual({ model: 'm', maxOutput: 128_000 });
    expect(chatCompletions?.factsOf({ model: 'm', max_completion_tokens: 5, n: 3 }, '')).toMatchObject({
      maxOutput: 15,
    });
    const body = { generationConfig: { maxOutputTokens: 7 } };
    const path = '/v1beta/models/gemini-x:streamGenerateContent';
    expect(generateContent?.factsOf(body, path)).toEqual({ model: 'gemini-x', maxOutput: 7 });
    expect(messages?.factsOf({ model: 5, max_tokens: 'many' }, '')).toEqual({ model: 'unknown', maxOutput: 128_000 });
  });

  it('for a stream of Chat Completions asks for its usage, and keeps its other options', () => {
    const body = { stream: true, stream_options: { include_obfuscation: false } };
    const options = { include_obfuscation: false, include_usage: true };
    expect(chatCompletions?.prepare(body)).toEqual({ stream: true, stream_options: options });
    expect(chatCompletions?.prepare({ stream: false })).toEqual({ stream: false });
  });

  it('costs nothing where it counts tokens or lists models; whatever else is not known is not passed on', () => {
    expect(isFree('POST', '/v1/messages/count_tokens')).toBe(true);
    expect(isFree('POST', '/v1beta/models/g:countTokens')).toBe(true);
    expect(isFree('GET', '/v1/models/claude-x')).toBe(true);
    expect(isFree('GET', '/models')).toBe(true);
    for (const path of ['/v1/messages/batches', '/embeddings', '/responses', '/files', '/v1/models/../files'])
      expect([isFree('POST', path), isFree('GET', path)]).toEqual([false, false]);
  });
});
