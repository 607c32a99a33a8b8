import { newId } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import { readNamedTasks } from './named-tasks.ts';

const read = (branch: string, title = '', description = '') =>
  readNamedTasks('acme/web', { branch, title, description });

describe('what a pull request names', () => {
  it('is ids of tasks in branch, title and description, in this order', () => {
    const [a, b] = [newId('task'), newId('task')];
    expect(read(`fix/${a}-x`, 'x', `see ${b.toUpperCase()}, ${a}, tsk_1`).ids).toEqual([a, b]);
  });

  it.each([
    ['fix/86abc123-login', ['86abc123']],
    ['CU-86abc123', ['86abc123']],
    ['feature/PROJ-12-x', ['PROJ-12']],
    ['proj-12', ['proj-12', 'PROJ-12']],
    ['Fixes #12.', ['acme/web#12']],
    ['closes other/repo#7, #8', ['other/repo#7', 'acme/web#8']],
    ['https://github.com/acme/web/issues/12', []],
    ['release 2026, version 1.24, step 3', []],
    ['no number at all', []],
  ])('"%s" names the tickets %j', (text, tickets) => {
    expect(read('', text).tickets).toEqual(tickets);
  });

  it('is bounded, whatever the description', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `#${n}`).join(' ');
    expect(read('', '', many).tickets).toHaveLength(40);
    for (const text of ['a/'.repeat(50_000), '#'.repeat(100_000), 'a-1'.repeat(30_000), '1'.repeat(100_000)])
      expect(read('', '', text).tickets.length).toBeLessThanOrEqual(40);
  });
});
