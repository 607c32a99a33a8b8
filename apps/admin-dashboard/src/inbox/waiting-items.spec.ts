import { describe, expect, it } from '@jest/globals';
import type { Input, TaskSummary } from '../resources/task-queries.ts';
import { neighbour, waitingItems } from './waiting-items.ts';

const input = (id: string, at: string, prompt = 'Which?') =>
  ({ id, kind: 'question', prompt, created_at: at }) as Input;
const task = (id: string, at: string) =>
  ({ id, title: 'Work', created_at: '2026-11-01T00:00:00Z', review_since: at }) as TaskSummary;

const all = <T>(data: T[], total = data.length) => ({ data, total });

describe('what waits for a person', () => {
  it('comes oldest first, whatever it is, with one line of what was asked', () => {
    const items = waitingItems(
      all([input('inp_2', '2026-11-20T10:02:00Z', '\nFirst line\nsecond'), input('inp_4', '2026-11-20T10:04:00Z')]),
      all([task('tsk_1', '2026-11-20T10:01:00Z'), task('tsk_3', '2026-11-20T10:03:00Z')]),
    );
    expect(items.map(({ id }) => id)).toEqual(['tsk_1', 'inp_2', 'tsk_3', 'inp_4']);
    expect(items[1]?.title).toBe('First line');
  });

  it('ends where older items of the other kind may be missing', () => {
    const reviews = all([task('tsk_1', '2026-11-01T00:00:00Z'), task('tsk_2', '2026-11-03T00:00:00Z')], 300);
    const inputs = all([input('inp_1', '2026-11-02T00:00:00Z'), input('inp_2', '2026-11-09T00:00:00Z')]);
    expect(waitingItems(inputs, reviews).map(({ id }) => id)).toEqual(['tsk_1', 'inp_1', 'tsk_2']);
  });

  it('is stepped through and stops at both ends', () => {
    const items = waitingItems(all([]), all([task('a', '1'), task('b', '2'), task('c', '3')]));
    expect(neighbour(items, 'a', 1)?.id).toBe('b');
    expect(neighbour(items, 'c', 1)?.id).toBe('c');
    expect(neighbour(items, 'a', -1)?.id).toBe('a');
    expect(neighbour(items, 'gone', 1)?.id).toBe('a');
    expect(neighbour([], 'gone', 1)).toBeUndefined();
  });
});
