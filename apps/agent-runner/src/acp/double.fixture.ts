// A simulated agent: the other side of the protocol, by hand. `node double.fixture.ts SCRIPT [--resume] [--steer] …`
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, unknown>;
type Prompt = { text: string; id: unknown };
type Stop = string | { stopReason: string; usage?: Json; _meta?: Json };

const [script = 'commit', ...flags] = process.argv.slice(2);
const has = (flag: string) => flags.includes(`--${flag}`);
const sessionId = 'ses_double';
let [asked, toolNumber, isCancelled] = [0, 0, false];
const waiting = new Map<unknown, (result: Json) => void>();
const steered: string[] = [];
const children: ChildProcess[] = [];

const write = (message: Json) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionUpdate: string, rest: Json) =>
  write({ method: 'session/update', params: { sessionId, update: { sessionUpdate, ...rest } } });
const say = (text: string) => update('agent_message_chunk', { content: { type: 'text', text } });
const fail = (code: number, message: string, data?: Json) => Object.assign(new Error(message), { code, data });

async function ask(method: string, params: Json): Promise<Json> {
  const id = `ask-${(asked += 1)}`;
  write({ id, method, params: { sessionId, ...params } });
  return new Promise((done) => waiting.set(id, done));
}

/** A tool call; `work` is done when it is allowed. */
async function useTool({ command, file }: { command: string; file: string }, work: () => void): Promise<void> {
  const toolCallId = `tool-${(toolNumber += 1)}`;
  const locations = [{ path: resolve(file) }];
  update('tool_call', { toolCallId, title: command, kind: 'execute', name: 'Shell', status: 'pending', locations });
  const options = [
    { optionId: 'always', name: 'Always', kind: 'allow_always' },
    { optionId: 'once', name: 'Once', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  // Some agents send no further details.
  const toolCall = { toolCallId, title: command };
  const { outcome } = (await ask('session/request_permission', { toolCall, options })) as { outcome: Json };
  const isAllowed = outcome['optionId'] === 'once';
  if (isAllowed) work();
  update('tool_call_update', { toolCallId, status: isAllowed ? 'completed' : 'failed' });
}

const put = (text: string, file = 'hello.txt') =>
  useTool({ command: `echo ${text} > ${file}`, file }, () => writeFileSync(file, `${text}\n`));
const written = async (text: string): Promise<Stop> => {
  await put(text);
  say('hello.txt ');
  say('is written.');
  return 'end_turn';
};

/** Starts a process in its own group, as shells of agents do. */
function startChild(): void {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  children.push(child);
  // Renamed when it is complete.
  writeFileSync('child.pid.new', String(child.pid));
  renameSync('child.pid.new', 'child.pid');
}

async function untilCancelled(): Promise<Stop> {
  while (!isCancelled) await sleep(5);
  for (const child of children) child.kill('SIGKILL');
  return 'cancelled';
}

const scripts: Record<string, (prompt: Prompt, count: number) => Promise<Stop> | Stop> = {
  commit: () => written('hello'),
  'own-commit': async () => {
    await written('hello');
    execFileSync('git', ['add', '.']);
    execFileSync('git', ['commit', '-qm', 'Say hello']);
    return 'end_turn';
  },
  /** Two tools at the same time. */
  both: async () => {
    await Promise.all([put('one', 'one.txt'), put('two', 'two.txt')]);
    return written('hello');
  },
  /** Writes the answer of a person to its question. */
  received: async ({ text }, count) => {
    if (count > 1) return written(text.replaceAll(/\W+/g, '-'));
    await put('hello');
    return (say('Done so far.'), 'end_turn');
  },
  'no-change': () => (say('hello.txt is written.'), 'end_turn'),
  question: ({ text }) =>
    text.includes('A person answered') ? written('asked') : (say('Which of the two files do you mean?'), 'end_turn'),
  repair: ({ text }) => written(/did not|failed/.test(text) ? 'good' : 'bad'),
  /** Reports its usage. */
  counted: async ({ text }) => {
    const stopReason = (await written(/did not|failed/.test(text) ? 'good' : 'bad')) as string;
    return { stopReason, usage: { inputTokens: 5, outputTokens: 2 } };
  },
  /** Ends its turn well, whatever its model says. */
  model: async () => {
    const { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: key = '' } = process.env;
    await fetch(`${address}/v1/messages`, { method: 'POST', headers: { 'x-api-key': key }, body: '{"model":"m"}' });
    return written('hello');
  },
  elicitation: async ({ text }) => {
    const [, answer] = /A person answered: colour: (\w+)/.exec(text) ?? [];
    if (answer !== undefined) return written(answer);
    const properties = {
      colour: { type: 'string', oneOf: ['red', 'blue'].map((value) => ({ const: value, title: value })) },
    };
    const form = { mode: 'form', message: 'Which colour?', requestedSchema: { type: 'object', properties } };
    const { action, content } = (await ask('elicitation/create', form)) as { action: string; content?: Json };
    return action === 'accept' ? written(String(content?.['colour'])) : (say('I may not ask.'), 'end_turn');
  },
  /** Asks three questions; fails when an answer belongs to another question. */
  questions: async () => {
    const { TASK_ID: task, TASK_DIR: folder } = process.env;
    const prompted = readFileSync(`${folder}/prompts.txt`, 'utf8');
    const answers = prompted.matchAll(/You asked: (.+)\nA person answered: answer: (.+)/g);
    const known = new Map([...answers].map(([, prompt, answer]) => [prompt, answer]));
    for (const prompt of [1, 2, 3].map((number) => `${task} ${number}`)) {
      if (!known.has(prompt)) {
        const requestedSchema = { type: 'object', properties: { answer: { type: 'string' } } };
        const form = { mode: 'form', message: prompt, requestedSchema };
        const { action, content } = (await ask('elicitation/create', form)) as { action: string; content?: Json };
        if (action !== 'accept') return 'cancelled';
        known.set(prompt, String(content?.['answer']));
      }
      if (known.get(prompt) !== `for ${prompt}`) throw fail(-32603, `${prompt} got: ${known.get(prompt)}`);
    }
    return written('answered');
  },
  plan: async () => {
    const entries = (done: number) =>
      [0, 1, 2].map((at) => ({ content: `Step ${at}`, priority: 'high', status: at < done ? 'completed' : 'pending' }));
    for (const done of [0, 1, 2, 3]) update('plan', { entries: entries(done) });
    update('usage_update', { used: 50, size: 100, cost: { amount: 0.01, currency: 'USD' } });
    return written('hello');
  },
  /** Prints a secret wherever possible, also where texts are cut. */
  leak: async () => {
    const secret = flags.join(' ');
    const cutIn = (length: number) => `${'x'.repeat(length - 10)}${secret}`;
    update('plan', { entries: [{ content: cutIn(200), priority: 'high', status: 'pending' }] });
    const content = [{ type: 'content', content: { type: 'text', text: `${secret}${'x'.repeat(16_384 - 10)}` } }];
    update('tool_call', { toolCallId: 'leak', title: cutIn(2_000), kind: 'execute', status: 'completed', content });
    await useTool({ command: `echo ${secret}`, file: 'hello.txt' }, () => writeFileSync('hello.txt', 'hello\n'));
    const toolCall = { toolCallId: 'long', title: 'Run', kind: 'execute', rawInput: { command: secret.repeat(1_000) } };
    await ask('session/request_permission', { toolCall, options: [] });
    await ask('elicitation/create', {
      mode: 'form',
      message: secret,
      requestedSchema: { type: 'object', properties: {} },
    });
    for (const part of [secret.slice(0, 10), secret.slice(10), 'x'.repeat(65_536 - 10)]) say(part);
    return 'end_turn';
  },
  slow: async () => {
    await sleep(300);
    return written('hello');
  },
  /** 20 updates a second, for the number of seconds in the last flag. */
  stream: async () => {
    update('tool_call', { toolCallId: 'streamed', title: 'npm test', kind: 'execute', status: 'in_progress' });
    const output = (text: string) => ({
      toolCallId: 'streamed',
      content: [{ type: 'content', content: { type: 'text', text } }],
    });
    const endsAt = performance.now() + Number(flags.at(-1)) * 1_000;
    for (let count = 0; performance.now() < endsAt; count += 1) {
      if (count % 4 === 0) update('tool_call_update', output('a line of a test\n'.repeat(100)));
      else say('some words of a long text, ');
      await sleep(50);
    }
    return written('hello');
  },
  message: async ({ text }, count) => {
    const received = (words: string) => written(words.replaceAll(/\W+/g, '-'));
    if (count > 1) return received(text);
    writeFileSync('ready', '');
    for (let waited = 0; waited < 500 && steered.length === 0; waited += 10) await sleep(10);
    return steered[0] === undefined ? (say('Done so far.'), 'end_turn') : received(steered[0]);
  },
  /** Changes and commits what it is to review, and forgets the result at first. */
  review: async (_, count) => {
    writeFileSync('README.md', `changed by the reviewer ${count} times`);
    execFileSync('git', ['commit', '--quiet', '--all', '--message', 'Of the reviewer']);
    execFileSync('git', ['branch', '--force', 'main']);
    const result = { decision: 'reject', findings: [{ path: 'a.ts', line: 2, body: 'No test.' }] };
    say(count === 1 ? 'It has no test.' : `It has no test.\n\n\`\`\`json\n${JSON.stringify(result)}\n\`\`\``);
    return 'end_turn';
  },
  hang: () => (startChild(), untilCancelled()),
  deaf: () => {
    process.on('SIGTERM', () => {});
    startChild();
    return new Promise(() => {});
  },
  error: () => Promise.reject(fail(-32603, 'Internal error', { details: '500 The server had an error.' })),
  failure: () => {
    const sessionFailure = { severity: 'error', title: 'exceeded retry limit, last status: 429 Too Many Requests' };
    return { stopReason: 'end_turn', _meta: { jetbrains: { air: { version: 1, sessionFailure } } } };
  },
  silent: () => 'end_turn',
  limit: () => (say('I begin with'), 'max_tokens'),
  refusal: () => (say('I cannot do that.'), 'refusal'),
  crash: () => (process.stderr.write('out of memory\n'), process.exit(3)),
  leave: () => process.exit(0),
  'kill-group': () => (process.kill(0, 'SIGKILL'), new Promise(() => {})),
  garbage: () => {
    process.stdout.write('Welcome!\n{not JSON\n[1,2]\n"text"\n');
    update('unknown_kind', { anything: [1] });
    update('tool_call', { title: 7 });
    return written('hello');
  },
  broken: () => (process.stdout.write('{"jsonrpc":"2.0","id":7,"met\n'), new Promise(() => {})),
  flood: async () => {
    const line = `${'x'.repeat(1_048_576)}`;
    for (let megabytes = 0; megabytes < Number(flags.at(-1)); megabytes += 1) {
      if (!(megabytes % 2 === 0 ? say(line) : process.stdout.write(`${line}\n`)))
        await new Promise((done) => process.stdout.once('drain', done));
      process.stderr.write(line);
    }
    return written('hello');
  },
};

const prompts: Prompt[] = [];

const select = (id: string, category: string, values: string[]) => ({
  id,
  category,
  type: 'select',
  options: values.map((value) => ({ value, name: value.toUpperCase() })),
});
/** What a session can be set to, as one kind of agents says it and another. */
function offered(): Json {
  if (has('models')) return { models: { availableModels: [{ modelId: 'small-1', name: 'Small' }] } };
  const configOptions = [select('m', 'model', ['small-1', 'large-1']), select('e', 'thought_level', ['low', 'high'])];
  return has('options') ? { configOptions } : {};
}

async function answer(method: string, params: Json, id: unknown): Promise<Json> {
  switch (method) {
    case 'initialize': {
      if (has('mute')) await new Promise(() => {});
      const sessionCapabilities = has('resume') ? { resume: {} } : {};
      const agentCapabilities = { loadSession: has('load'), sessionCapabilities, mcpCapabilities: { http: true } };
      const agentInfo = { name: 'double', version: '1.0.0' };
      const _meta = has('steer') ? { steering: { supported: true } } : {};
      return { protocolVersion: has('v2') ? 2 : 1, agentCapabilities, agentInfo, authMethods: [], _meta };
    }
    case 'session/new':
      if (has('login')) throw fail(-32000, 'Authentication required: run `double login`.');
      if (has('logged-out')) write({ method: '_auth/status_update', params: { authStatus: { kind: 'none' } } });
      writeFileSync(`${process.env['TASK_DIR'] ?? '.'}/double.json`, JSON.stringify({ ...params, env: process.env }));
      return {
        sessionId,
        modes: { currentModeId: 'auto', availableModes: [{ id: 'auto' }, { id: 'ask' }] },
        ...offered(),
      };
    case 'session/resume':
    case 'session/load':
      if (has('forgetful')) throw fail(-32603, 'No such session.');
      if (has('poisoned')) process.exit(4);
      if (method === 'session/load') say('This is what I said before?');
      return { modes: { currentModeId: 'auto', availableModes: [{ id: 'ask' }] } };
    case 'session/set_mode':
      return {};
    case 'session/set_config_option':
    case 'session/set_model':
      appendFileSync(`${process.env['TASK_DIR'] ?? '.'}/chosen.txt`, `${JSON.stringify(params)}\n`);
      return {};
    case '_session/steering': {
      const [block] = params['prompt'] as { text: string }[];
      steered.push(block?.text ?? '');
      return { outcome: 'injected' };
    }
    case 'session/prompt': {
      const text = (params['prompt'] as { text: string }[]).map((block) => block.text).join('\n');
      const folder = process.env['TASK_DIR'] ?? '.';
      const seen = existsSync(`${folder}/prompts.txt`) ? readFileSync(`${folder}/prompts.txt`, 'utf8') : '';
      writeFileSync(`${folder}/prompts.txt`, `${seen}${text}\n--\n`);
      prompts.push({ text, id });
      const stop = await scripts[script]?.({ text, id }, prompts.length);
      return typeof stop === 'object' ? stop : { stopReason: stop ?? 'end_turn' };
    }
    default:
      throw fail(-32601, `No method ${method}.`);
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const {
    id,
    method,
    params = {},
    result = {},
    error,
  } = JSON.parse(line) as Json & { method?: string; params?: Json; result?: Json };
  if (method === undefined) return void waiting.get(id)?.(error ? {} : result);
  if (method === 'session/cancel') isCancelled = true;
  if (id === undefined) return;
  answer(method, params, id).then(
    (given) => write({ id, result: given }),
    ({ code, message, data }: Error & { code?: number; data?: Json }) =>
      write({ id, error: { code: code ?? -32603, message, ...(data ? { data } : {}) } }),
  );
});
