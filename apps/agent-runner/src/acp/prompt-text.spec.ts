import { describe, expect, it } from '@jest/globals';
import type { TurnInput } from '../agent/agent.ts';
import { type Memory, promptOf, type Delivered } from './prompt-text.ts';

const answer = {
  input_id: 'inp_1',
  kind: 'question',
  prompt: 'Which port?',
  answer: '8080',
  decision: null,
  comment: 'For now.',
};
const message = { id: 'dir_1', kind: 'message', content: 'Be quick.' };
const given: TurnInput = {
  task: { title: 'Add a port', description: 'To the server.', metadata: {} },
  context: {
    attempt: 2,
    failures: 0,
    checkpoint: null,
    answers: [answer],
    contract: { artifacts: ['commit'] },
    project: { id: 'prj_1' },
  },
  directives: [message, { id: 'dir_2', kind: 'answer', input_id: 'inp_1' }],
  run: 1,
  repositories: [
    { name: 'web', path: '/srv/web', branch: 'task/tsk_1', url: 'https://example.com/web', base_branch: 'main' },
  ],
};
const prompt = (input: TurnInput, memory: Memory, delivered: Delivered = new Set(), last?: string) =>
  promptOf(input, { memory, delivered, last });

describe('the prompt of a turn', () => {
  it('repeats the last message of a lost session in the next one', () => {
    const lost = prompt(given, 'nothing', new Set(), 'I changed the port.').join('\n');
    expect(lost).toContain('in a session that is gone');
    expect(lost).toContain('I changed the port.');
    expect(prompt(given, 'nothing', new Set(), '').join('\n')).toContain('Look at what is there first.');
    expect(prompt(given, 'nothing').join('\n')).not.toContain('in a session that is gone');
    expect(prompt(given, 'attempts', new Set(), 'I changed the port.').join('\n')).not.toContain('I changed the port.');
  });

  it('gives a new session all that is known, and what the runner does itself', () => {
    const [rules, task, known, ...updates] = prompt(given, 'nothing');
    expect(rules).toContain('- /srv/web: branch task/tsk_1 of https://example.com/web');
    expect(rules).toContain('committed, checked and pushed for you');
    expect(task).toBe('# Add a port\n\nTo the server.');
    expect(known).toContain('"artifacts": [');
    expect(known).not.toMatch(/checkpoint|prj_1|failures/);
    expect(updates).toEqual([
      'You asked: Which port?\nA person answered: 8080\nFor now.',
      'A person writes: Be quick.',
    ]);
  });

  it.each([
    [{ kind: 'permission', decision: 'allow_once' }, 'You may do this: do it now.'],
    [{ kind: 'permission', decision: 'reject' }, 'You may not do this.'],
    [{ kind: 'approval', decision: 'reject' }, 'reject'],
    [{ kind: 'form', content: { port: 80, hosts: ['a', 'b'] } }, 'port: 80\nhosts: a, b'],
  ])('says what a person answered: %j', (said, text) => {
    const context = { answers: [{ input_id: 'inp_2', prompt: 'git push', answer: null, comment: null, ...said }] };
    const texts = prompt({ ...given, context, directives: [] }, 'turns');
    expect(texts).toEqual([`You asked: git push\nA person answered: ${text}`]);
  });

  it('gives a continued session only what is new, once each', () => {
    const delivered: Delivered = new Set();
    prompt(given, 'nothing', delivered);
    const later = {
      ...given,
      feedback: 'The check "tests" failed.',
      directives: [message, { ...message, id: 'dir_3', content: 'No, take your time.' }],
    };
    expect(prompt(later, 'turns', delivered)).toEqual([
      'A person writes: No, take your time.',
      'The check "tests" failed.',
    ]);
    expect(prompt({ ...later, feedback: undefined }, 'turns', delivered)).toEqual(['Go on with the task.']);
  });

  it.each([
    ['usr_1', 'A person writes: Use a Map.'],
    ['agt_1', 'The agent that reviewed your work writes: Use a Map.'],
    ['int_1', 'Use a Map.'],
  ])('says who wrote a message: %s', (author, text) => {
    const directives = [{ ...message, author, content: 'Use a Map.' }];
    expect(prompt({ ...given, context: {}, directives }, 'turns')).toEqual([text]);
  });

  it('gives the session of an earlier attempt everything again', () => {
    const texts = prompt(given, 'attempts', new Set(['dir_1', 'inp_1']));
    expect(texts[0]).toContain('another attempt');
    expect(texts.slice(1)).toEqual(prompt(given, 'nothing'));
  });

  it('does not mention repositories for a task without them', () => {
    const texts = prompt({ ...given, repositories: undefined, context: { answers: [] }, directives: [] }, 'nothing');
    expect(texts).toHaveLength(2);
    expect(texts[0]).not.toMatch(/branch|push/);
  });
});
