import { exampleDataOf, type InputResource, type PublicEventType, publicEventTypes } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChatContent } from './blocks.ts';
import { escaped, plain } from './chat-text.ts';
import { eventMessage } from './event-message.ts';
import { answerOfAction, questionMessage, questionOf, settledQuestionMessage } from './question-message.ts';

const baseUrl = 'https://agents.example.com';
const now = new Date('2026-11-20T10:20:00Z');
const messageOf = (type: PublicEventType, data: Record<string, unknown> = exampleDataOf(type)) =>
  eventMessage({ type, data, baseUrl });
const textOf = (message: ChatContent) => JSON.stringify(message);

function expectWithinLimits({ text, blocks }: ChatContent): void {
  expect(text.length).toBeLessThanOrEqual(3_000);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) {
    if (block.type === 'section') expect(block.text.text.length).toBeLessThanOrEqual(3_000);
    if (block.type === 'context') expect(block.elements[0]?.text.length).toBeLessThanOrEqual(3_000);
    if (block.type !== 'actions') continue;
    expect(block.block_id.length).toBeLessThanOrEqual(255);
    expect(block.elements.length).toBeLessThanOrEqual(25);
    expect(new Set(block.elements.map(({ action_id: id }) => id)).size).toBe(block.elements.length);
    for (const { text: label } of block.elements) expect(label.text.length).toBeLessThanOrEqual(75);
  }
}

describe('the message of an event', () => {
  it.each(publicEventTypes)('%s has words and fits', (type) => {
    const message = messageOf(type);
    expect(message.text).not.toBe('');
    expect(textOf(message)).not.toContain('undefined');
    expectWithinLimits(message);
  });

  it('says what happened and links to the task', () => {
    expect(messageOf('task.completed')).toMatchObject({
      text: 'Task completed: Limit failed logins',
      blocks: [
        {
          text: {
            text: '*Task completed*: <https://agents.example.com/admin/tasks/tsk_01ks0000000000000000000000|Limit failed logins>',
          },
        },
        { text: { text: 'Five failed logins a minute for each address, then 429.' } },
        { elements: [{ text: expect.stringContaining('by agt_') }] },
      ],
    });
  });

  it('links to the inbox when something waits for a person', () => {
    const asked = exampleDataOf('task.asked');
    const reviewed = { ...exampleDataOf('task.updated'), task_id: 'tsk_1', from: 'in_progress', to: 'in_review' };
    expect(textOf(messageOf('task.asked', asked))).toContain(`<${baseUrl}/admin/inbox?item=${asked.input_id}|`);
    expect(textOf(messageOf('task.updated', reviewed))).toContain(`<${baseUrl}/admin/inbox?item=${reviewed.task_id}|`);
  });

  it('has no link where the address of the service is not known', () => {
    const data = exampleDataOf('task.started');
    expect(textOf(eventMessage({ type: 'task.started', data, baseUrl: undefined }))).not.toContain('https:');
  });

  it('mentions no user, makes no link and ends none', () => {
    const data = { ...exampleDataOf('task.commented'), title: 'x> <!channel> |y', content: '<!here> & <http://a|b>' };
    const text = textOf(messageOf('task.commented', data));
    expect(text).not.toMatch(/<!|<http:/);
    expect(text).toContain('&lt;!here&gt; &amp; &lt;http://a|b&gt;');
  });

  it('does not make a link of an address that could end it', () => {
    const data = { ...exampleDataOf('pr.opened'), task_id: null, url: 'https://a.example/x|y>' };
    expect(textOf(messageOf('pr.opened', data))).not.toContain('<https');
  });

  it('shows no path of a webhook: it can hold a secret', () => {
    const data = { ...exampleDataOf('webhook.paused'), url: 'https://example.com/hooks/very-secret' };
    expect(textOf(messageOf('webhook.paused', data))).not.toContain('very-secret');
  });

  it('fits whatever the texts are', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 9_000 }), fc.constant('<&>'.repeat(9_000)));
    fc.assert(
      fc.property(text, text, text, (title, content, author) => {
        expectWithinLimits(messageOf('task.commented', { task_id: 'tsk_1', title, content, author }));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a text', () => {
  it('is cut without cutting an entity or a character in two', () => {
    expect(escaped('ab<', 6)).toBe('ab&lt;');
    expect(escaped('ab<', 5)).toBe('ab…');
    expect(plain('🎉🎉', 3)).toBe('🎉…');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const cut = escaped(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut).not.toMatch(/&(?!(amp|lt|gt);)/);
      }),
    );
  });
});

describe('the message of a question', () => {
  const exampleInput = {
    id: 'inp_1',
    task_id: 'tsk_1',
    lease_id: 'lse_1',
    agent_id: 'agt_1',
    kind: 'choice' as const,
    prompt: 'How many?',
    options: ['5', '10'],
    form: null,
    permission: null,
    blocking: true,
    status: 'answered' as const,
    answer: '5',
    content: null,
    decision: null,
    comment: null,
    answered_by: 'int_1',
    answered_by_name: null,
    created_at: '2026-11-20T10:00:00Z',
    expires_at: '2026-11-20T11:00:00Z',
    answered_at: '2026-11-20T10:10:00Z',
  };
  const asked = (fields: Partial<InputResource> = {}) => {
    const data = { task_id: 'tsk_1', title: 'Limit failed logins', input_id: 'inp_1', ticket_id: null };
    const event = { type: 'task.asked' as const, data, baseUrl };
    return { event, question: questionOf({ ...exampleInput, ...fields }) };
  };
  const buttonsOf = ({ blocks }: ChatContent) =>
    blocks
      .flatMap((block) => (block.type === 'actions' ? block.elements : []))
      .map((one) => [one.text.text, one.action_id]);

  it('has a button for each option', () => {
    const { event, question } = asked();
    const message = questionMessage(event, question, 'int_1');
    expect(buttonsOf(message)).toEqual([
      ['5', 'answer:0'],
      ['10', 'answer:1'],
      ['Open', 'open'],
    ]);
    expect(message.blocks.find(({ type }) => type === 'actions')).toMatchObject({
      block_id: `int_1:${question.inputId}`,
    });
  });

  it('has two buttons for an approval, and one that opens the task for a question', () => {
    const approval = asked({ kind: 'approval', options: [] });
    expect(buttonsOf(questionMessage(approval.event, approval.question, 'int_1')).map(([label]) => label)).toEqual([
      'Approve',
      'Reject',
      'Open',
    ]);
    const question = asked({ kind: 'question', options: [] });
    expect(buttonsOf(questionMessage(question.event, question.question, 'int_1'))).toEqual([['Open', 'open']]);
  });

  it('has three buttons for a permission, and shows what it is wanted for', () => {
    const permission = { tool: 'execute' as const, title: 'Push', command: 'git push ``` <!channel>' };
    const { event, question } = asked({ kind: 'permission', options: [], prompt: 'Push', permission });
    const message = questionMessage(event, question, 'int_1');
    expect(buttonsOf(message)).toEqual([
      ['Allow once', 'allow_once'],
      ['Always for this task', 'allow_always'],
      ['Reject', 'reject'],
      ['Open', 'open'],
    ]);
    expect(textOf(message)).toContain('```git push ˋˋˋ &lt;!channel&gt;```');
    expect(textOf(message)).toContain('Always: the same command again.');
    const diff = [{ path: 'a.ts', old_text: '', new_text: 'x' }];
    const paths = Array.from({ length: 22 }, (_, at) => `${'<'.repeat(500)}${at}`);
    const changing = asked({ kind: 'permission', options: [], permission: { ...permission, diff, paths: ['.env'] } });
    const changes = textOf(questionMessage(changing.event, changing.question, 'int_1'));
    expect(changes).toContain(String.raw`Changes a.ts (+1 -0)\nFile .env`);
    expect(changes).not.toContain('Only the beginning');
    const large = asked({
      kind: 'permission',
      options: [],
      permission: { ...permission, command: '`<'.repeat(8_000), diff, paths, truncated: true },
    });
    const cut = questionMessage(large.event, large.question, 'int_1');
    expectWithinLimits(cut);
    expect(textOf(cut)).toContain('Only the beginning of the command is shown.');
  });

  it('has a button for each option of a form with one field, and writes out the fields of another one', () => {
    const database = { type: 'string' as const, oneOf: [{ const: 'pg', title: 'Postgres' }] };
    const properties = { database, database_custom: { type: 'string' as const } };
    const sole = asked({ kind: 'form', options: [], form: { type: 'object', properties } });
    expect(buttonsOf(questionMessage(sole.event, sole.question, 'int_1'))).toEqual([
      ['Postgres', 'answer:0'],
      ['Open', 'open'],
    ]);
    expect(answerOfAction('answer:0', sole.question)).toEqual({ content: { database: 'pg' } });
    const more = { ...properties, port: { type: 'integer' as const, title: 'Port' } };
    const form = { type: 'object' as const, properties: more, required: ['port'] };
    const several = asked({ kind: 'form', options: [], form });
    const message = questionMessage(several.event, several.question, 'int_1');
    expect(buttonsOf(message)).toEqual([['Open', 'open']]);
    expect(textOf(message)).toContain('port (Port): required');
  });

  it('writes options out that no button can show, or where clicks are not taken', () => {
    const long = asked({ options: ['x'.repeat(500), 'y'] });
    const message = questionMessage(long.event, long.question, 'int_1');
    expectWithinLimits(message);
    expect(textOf(message)).toContain('2. y');
    const { event, question } = asked();
    const passive = questionMessage(event, question, undefined);
    expect(buttonsOf(passive)).toEqual([['Open', 'open']]);
    expect(textOf(passive)).toContain('1. 5');
  });

  it('fits with 20 options of 500 characters', () => {
    const options = Array.from({ length: 20 }, (_, n) => `${n}${'<'.repeat(498)}`);
    const { event, question } = asked({ options, prompt: '&'.repeat(65_536) });
    expectWithinLimits(questionMessage(event, question, 'int_1'));
  });

  it('shows who answered and what, in place of the buttons', () => {
    const { event } = asked();
    const input = { ...exampleInput, answer: '<5>', answered_by_name: 'Ada & Co' };
    const message = settledQuestionMessage(event, { input, now });
    expect(buttonsOf(message)).toEqual([]);
    expect(textOf(message)).toContain('*Ada &amp; Co* answered: &lt;5&gt;');
    const approved = { ...input, answer: null, decision: 'approve' as const };
    expect(textOf(settledQuestionMessage(event, { input: approved, now }))).toContain('approved this');
    const filled = { ...input, answer: null, content: { port: 80, hosts: ['a', 'b'] } };
    expect(textOf(settledQuestionMessage(event, { input: filled, now }))).toContain(String.raw`port: 80\nhosts: a, b`);
    const allowed = { ...input, answer: null, decision: 'allow_always' as const };
    expect(textOf(settledQuestionMessage(event, { input: allowed, now }))).toContain('rest of the task');
    const expired = { ...input, status: 'expired' as const };
    expect(textOf(settledQuestionMessage(event, { input: expired, now }))).toContain('expired');
  });
});

describe('a click', () => {
  it.each<[InputResource['kind'], string, unknown]>([
    ['choice', 'answer:1', { answer: 'b' }],
    ['choice', 'answer:2', undefined],
    ['choice', 'answer:-1', undefined],
    ['choice', 'answer:1x', undefined],
    ['approval', 'approve', { decision: 'approve' }],
    ['approval', 'reject', { decision: 'reject' }],
    ['approval', 'allow_once', undefined],
    ['permission', 'allow_always', { decision: 'allow_always' }],
    ['permission', 'reject', { decision: 'reject' }],
    ['choice', 'open', undefined],
    ['choice', '', undefined],
  ])('on a %s on %j means %j', (kind, action, answer) => {
    const options = kind === 'choice' ? ['a', 'b'] : [];
    expect(answerOfAction(action, { kind, options, field: undefined })).toEqual(answer);
  });
});
