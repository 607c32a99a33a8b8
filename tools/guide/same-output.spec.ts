import { describe, expect, it } from '@jest/globals';
import { differenceOf } from './same-output.ts';

describe('differenceOf, JSON', () => {
  const output = JSON.stringify({ id: 'tsk_01m7', status: 'created', tags: ['a', 'b'], agent: null });

  it.each(['{"status": "created"}', '{"id": "tsk_…", "agent": null}', '{"tags": ["a"]}'])(
    'takes %s, which is part of the output',
    (shown) => {
      expect(differenceOf('json', shown, output)).toBeUndefined();
    },
  );

  it.each([
    ['{"status": "done"}', '/status is "created", the page shows "done"'],
    ['{"id": "run_…"}', '/id is "tsk_01m7", the page shows "run_…"'],
    ['{"name": null}', '/name is undefined, the page shows null'],
    ['{"tags": {}}', '/tags is ["a","b"], the page shows {}'],
  ])('refuses %s', (shown, difference) => {
    expect(differenceOf('json', shown, output)).toContain(difference);
  });

  it('compares one value a line', () => {
    expect(differenceOf('json', '[1]\n[2]', '[1]\n[2]\n')).toBeUndefined();
    expect(differenceOf('json', '[1]\n[2]', '[1]\n[3]\n')).toContain('/1/0');
  });

  it('refuses an output that is no JSON', () => {
    expect(differenceOf('json', '{}', 'not found')).toBe('the output is no JSON');
  });
});

describe('differenceOf, text', () => {
  it('finds the shown lines in their order', () => {
    expect(differenceOf('text', 'a…\nc', 'abc\nb\nc\n')).toBeUndefined();
    expect(differenceOf('text', 'c\na…', 'abc\nb\nc\n')).toBe('no line like: a…');
    expect(differenceOf('text', '(1)', '1')).toBe('no line like: (1)');
  });
});
