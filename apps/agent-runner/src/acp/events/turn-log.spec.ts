import { describe, expect, it } from '@jest/globals';
import { createMask } from '../../key/mask.ts';
import { type AgentEvent, eventOf } from './event.ts';
import { createTurnLog } from './turn-log.ts';

/** Updates as the agents send them, cut to what the runner reads. */
const recorded = {
  claude: [
    { sessionUpdate: 'usage_update', used: 100, size: 1_000_000 },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'call_1',
      name: 'Bash',
      rawInput: {},
      status: 'pending',
      title: 'Terminal',
      kind: 'execute',
      content: [],
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      rawInput: { command: 'echo hello > hello.txt' },
      title: 'echo hello > hello.txt',
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      status: 'completed',
      rawOutput: '(Bash completed with no output)',
    },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello.txt ' }, messageId: 'msg_1' },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'is written.' }, messageId: 'msg_1' },
    { sessionUpdate: 'usage_update', used: 110, size: 1_000_000, cost: { amount: 0.0018, currency: 'USD' } },
  ],
  codex: [
    { sessionUpdate: 'notice', severity: 'warning', title: 'Model metadata for `m` not found.' },
    { sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type: 'active', activeFlags: [] } } } },
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'call_1',
      name: 'exec_command',
      kind: 'execute',
      title: 'echo hello > hello.txt',
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId: 'call_1' }],
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed' },
    {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'msg_1',
      content: { type: 'text', text: 'hello.txt is written.' },
    },
  ],
  gemini: [
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'shell_0',
      status: 'completed',
      title: 'echo hello > hello.txt',
      content: [],
      locations: [],
      kind: 'execute',
    },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello.txt is written.' } },
  ],
  qwen: [
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'call_1',
      status: 'pending',
      title: 'Shell',
      content: [],
      kind: 'execute',
      rawInput: {},
    },
    {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: '' },
      _meta: { usage: { totalTokens: 110 } },
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_1',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'Output: (empty)' } }],
    },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello.txt is written.' } },
    {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: '' },
      _meta: { usage: { totalTokens: 110 } },
    },
  ],
};

const passing = (passed: AgentEvent[], secrets: readonly string[] = []) =>
  createTurnLog({ record: () => {}, pass: (event) => void passed.push(event), mask: createMask(secrets) });

const prints = (data: string) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'call_1',
  _meta: { terminal_output_delta: { data, terminal_id: 'call_1' } },
});

function logOf(updates: readonly unknown[]) {
  const lines: string[] = [];
  const log = createTurnLog({ record: (line) => void lines.push(line), pass: () => {}, mask: createMask([]) });
  for (const update of updates) {
    const event = eventOf(update);
    if (event) log.add(event);
  }
  return { log, lines };
}

describe('what an agent did in a turn', () => {
  it.each(Object.entries(recorded))('is read from the updates of %s', (_, updates) => {
    const { log, lines } = logOf(updates);
    expect(log.text()).toBe('hello.txt is written.');
    expect(log.isActive()).toBe(true);
    expect(lines.join('\n')).toMatch(/\[\w+\] completed: (echo hello > hello.txt|Shell)/);
  });

  it('has its cost and tokens, the last plan, and the names of denied tools', () => {
    const { log } = logOf(recorded.claude);
    expect(log.usage()).toEqual({ tokens: 110, cost: { amount: 0.0018, currency: 'USD' } });
    const more: AgentEvent[] = [
      { kind: 'plan', entries: [{ text: 'Write', status: 'pending' }] },
      { kind: 'permission', tool: 'Bash', title: 'rm -r .', isAllowed: false },
      { kind: 'permission', tool: 'Edit', title: 'a', isAllowed: true },
    ];
    more.forEach(log.add);
    expect([log.plan(), log.denied()]).toEqual([[{ text: 'Write', status: 'pending' }], ['Bash']]);
  });

  it('ends with the last message: one after a tool, or with another id, is another one', () => {
    const text = (words: string, messageId?: string) => ({
      sessionUpdate: 'agent_message_chunk',
      messageId,
      content: { type: 'text', text: words },
    });
    const tool = { sessionUpdate: 'tool_call', toolCallId: 'call_1', title: 'ls' };
    expect(logOf([text('First I look.'), tool, text('Done.')]).log.text()).toBe('Done.');
    expect(logOf([text('A warning.'), text('Done.', 'msg_1')]).log.text()).toBe('Done.');
    expect(logOf([text('Done.'), tool]).log.text()).toBe('Done.');
  });

  it('passes the end of what a command has printed so far, where the agent says only what is new', () => {
    const passed: AgentEvent[] = [];
    const log = passing(passed);
    const updates = [
      prints('one\n'),
      prints('two\n'),
      prints('x'.repeat(20_000)),
      { ...prints(''), status: 'completed' },
    ];
    for (const update of updates) log.add(eventOf(update) as AgentEvent);
    const end = 'x'.repeat(16_384);
    expect(passed.map((event) => event.kind === 'tool' && event.output)).toEqual(['one\n', 'one\ntwo\n', end, end]);
    expect(log.tool('call_1')).toMatchObject({ status: 'completed', output: end });
  });

  it('shows no part of a secret that is printed in pieces, nor the rest of one that is older than what is kept', () => {
    const secret = 'sk-0123456789';
    const passed: AgentEvent[] = [];
    const log = passing(passed, [secret]);
    const filler = 'x'.repeat(16_384 - 4);
    for (const update of [prints('key: sk-01'), prints('23456789'), prints(filler)])
      log.add(eventOf(update) as AgentEvent);
    const outputs = passed.map((event) => event.kind === 'tool' && event.output);
    expect(outputs).toEqual(['key: ', 'key: ***', ` ***${filler}`]);
  });

  it('holds the end of an output that may be the beginning of a secret until the call has ended', () => {
    const passed: AgentEvent[] = [];
    const log = passing(passed, ['sk-0123456789']);
    for (const update of [prints('ends with s'), { ...prints(''), _meta: null, status: 'completed' }])
      log.add(eventOf(update) as AgentEvent);
    expect(passed.map((event) => event.kind === 'tool' && event.output)).toEqual(['ends with ', 'ends with s']);
  });

  it('keeps no part of a secret in the last message, in however many parts it comes and wherever it is cut', () => {
    const secret = 'sk-0123456789';
    const log = passing([], [secret]);
    const say = (text: string) => log.add({ kind: 'text', text, messageId: 'm1' });
    for (const part of ['sk-01', '234567', '89', 'x'.repeat(65_536 - 6)]) say(part);
    expect(log.text()).toBe(`***${'x'.repeat(65_536 - 6)}`);
    say('xxx');
    say('sk-0123456789');
    expect(log.text().slice(-7)).toBe('xxxx***');
  });

  it('has all changes of a call', () => {
    const content = ['a.ts', 'b.ts'].map((path) => ({ type: 'diff', path, oldText: 'a', newText: 'b' }));
    const event = eventOf({ sessionUpdate: 'tool_call', toolCallId: 'call_1', content });
    expect(event).toMatchObject({ diffs: [{ path: 'a.ts', oldText: 'a', newText: 'b' }, { path: 'b.ts' }] });
  });

  it('is nothing for updates that cannot be read', () => {
    const updates = [
      undefined,
      null,
      'text',
      { sessionUpdate: 'toString' },
      { sessionUpdate: 'plan', entries: 7 },
      { sessionUpdate: 'tool_call' },
    ];
    expect(updates.map(eventOf)).toEqual(updates.map(() => undefined));
  });

  it('stays small however much an agent says', () => {
    const { log } = logOf([]);
    for (let at = 0; at < 1_000; at += 1) {
      log.add({ kind: 'text', text: 'x'.repeat(10_000), messageId: 'msg_1' });
      log.add({
        kind: 'tool',
        id: `call_${at}`,
        type: 'execute',
        name: undefined,
        title: 'ls',
        status: 'pending',
        diffs: undefined,
        output: undefined,
      });
      log.add({ kind: 'permission', tool: 'Bash', title: 'ls', isAllowed: false });
    }
    expect(log.text().length).toBeLessThanOrEqual(65_536);
    expect([log.tool('call_0'), log.tool('call_999')?.title, log.denied().length]).toEqual([undefined, 'ls', 100]);
  });
});
