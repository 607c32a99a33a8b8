import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ModelServer, startModelServer } from './server.ts';

let model: ModelServer;
beforeAll(async () => void (model = await startModelServer()));
afterAll(() => model.close());

const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const functionTool = { name: 'bash', description: 'A shell.', parameters };
const prompt = (script: string) => `Say hello. SCRIPT:${script}`;

/** A request of each API for the same prompt, and where its reply has the command that is to be run. */
const apis = {
  anthropic: {
    path: '/v1/messages',
    body: (script: string) => ({
      model: 'm',
      messages: [{ role: 'user', content: prompt(script) }],
      tools: [{ name: 'Bash', input_schema: parameters }],
    }),
    command: (body: Json) => body.content[0].input.command,
  },
  responses: {
    path: '/v1/responses',
    body: (script: string) => ({ model: 'm', input: prompt(script), tools: [{ type: 'function', ...functionTool }] }),
    command: (body: Json) => JSON.parse(body.output[0].arguments).command,
  },
  chat: {
    path: '/v1/chat/completions',
    body: (script: string) => ({
      model: 'm',
      messages: [{ role: 'user', content: prompt(script) }],
      tools: [{ type: 'function', function: functionTool }],
    }),
    command: (body: Json) => JSON.parse(body.choices[0].message.tool_calls[0].function.arguments).command,
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: (script: string) => ({
      contents: [{ role: 'user', parts: [{ text: prompt(script) }] }],
      tools: [{ functionDeclarations: [{ ...functionTool, name: 'run_shell_command' }] }],
    }),
    command: (body: Json) => body.candidates[0].content.parts[0].functionCall.args.command,
  },
} as const;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- replies are walked freely, as an agent would
type Json = any;

const post = (path: string, body: object) =>
  fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) });

describe.each(Object.entries(apis))('the played model, by the API %s', (_, { path, body, command }) => {
  it('calls the tool that the agent offers', async () => {
    const response = await post(path, body('commit'));
    expect(command(await response.json())).toBe('echo hello > hello.txt');
  });

  it.each([
    ['429', 429],
    ['500', 500],
    ['overflow', 400],
  ])('fails as %s', async (script, status) => {
    expect((await post(path, body(script))).status).toBe(status);
  });

  it('streams, and can break off in the middle', async () => {
    const streamed = path.replace(':generateContent', ':streamGenerateContent');
    const whole = await post(streamed, { ...body('no-change'), stream: true });
    expect(whole.headers.get('content-type')).toBe('text/event-stream');
    expect(await whole.text()).toContain('hello.txt is written.');
    const cut = await post(streamed, { ...body('cut'), stream: true });
    await expect(cut.text()).rejects.toThrow();
  });
});

describe('the simulated model', () => {
  it('takes the next step after its own', async () => {
    const { path, body } = apis.chat;
    const first = body('commit');
    const messages = [...first.messages, { role: 'assistant', content: null, tool_calls: [{}] }, { role: 'tool' }];
    const reply = (await (await post(path, { ...first, messages })).json()) as Json;
    expect(reply.choices[0].message.content).toBe('hello.txt is written.');
  });

  it('waits for a command that runs on', async () => {
    const { path, body } = apis.responses;
    const output = 'Wall time: 30 s. Process running with session ID 7.';
    const input = [
      { role: 'user', content: prompt('commit') },
      { type: 'function_call', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output },
    ];
    const tools = [{ type: 'function', name: 'write_stdin', parameters: {} }];
    const reply = (await (await post(path, { ...body('commit'), input, tools })).json()) as Json;
    expect(JSON.parse(reply.output[0].arguments)).toMatchObject({ session_id: 7, chars: '' });
  });

  it('answers what agents ask for themselves with a text, or a sample of the schema', async () => {
    const { path, body } = apis.chat;
    const schema = { type: 'object', properties: { title: { type: 'string' }, tags: { type: 'array', items: {} } } };
    const format = { response_format: { type: 'json_schema', json_schema: { schema } } };
    const reply = (await (await post(path, { ...body('commit'), tools: [], ...format })).json()) as Json;
    expect(JSON.parse(reply.choices[0].message.content)).toEqual({ title: 'x', tags: [] });
  });
});
