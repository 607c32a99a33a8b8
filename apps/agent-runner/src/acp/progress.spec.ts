import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { LeaseState } from '../lease/lease-state.ts';
import { createProgress } from './progress.ts';

function scene(everyMs = 50) {
  const calls: object[] = [];
  let state: LeaseState['kind'] = 'running';
  const keeper = {
    state: () => state,
    call: async (_verb: string, body: object) => {
      calls.push(body);
      return { kind: 'done' as const, body: {} };
    },
  };
  return { calls, progress: createProgress(keeper, everyMs), enter: (next: typeof state) => void (state = next) };
}
const steps = (completed: number) =>
  ['Read', 'Write', 'Test'].map((text, at) => ({ text, status: at < completed ? 'completed' : 'pending' }));

describe('the reports of an agent’s plan', () => {
  it('are few, and the last one says how far it came', async () => {
    const everyMs = 50;
    const { calls, progress } = scene(everyMs);
    const beganMs = performance.now();
    for (let times = 0; times < 20; times += 1) {
      progress.take(steps(times % 4));
      await sleep(5);
    }
    progress.take(steps(2));
    await progress.end();
    expect(calls.length).toBeGreaterThan(1);
    // The first and the last one, and those between them; a timer may be a little early.
    expect(calls.length).toBeLessThanOrEqual(2 + (performance.now() - beganMs) / (everyMs - 2));
    expect(calls.at(-1)).toEqual({
      percent_complete: 66,
      milestones: [
        { name: 'Read', completed: true },
        { name: 'Write', completed: true },
        { name: 'Test', completed: false },
      ],
    });
  });

  it('are not sent twice, nor without a plan, nor while a person is asked', async () => {
    const { calls, progress, enter } = scene(1);
    progress.take([]);
    progress.take(steps(1));
    await sleep(10);
    progress.take(steps(1));
    await sleep(10);
    enter('parked');
    progress.take(steps(2));
    await progress.end();
    expect(calls).toHaveLength(1);
  });

  it('fit what the service takes', async () => {
    const { calls, progress } = scene();
    progress.take([
      { text: `a\0${'x'.repeat(500)}`, status: 'done' },
      { text: ' ', status: 'completed' },
    ]);
    await progress.end();
    expect(calls[0]).toEqual({
      percent_complete: 50,
      milestones: [
        { name: `a${'x'.repeat(199)}`, completed: false },
        { name: '-', completed: true },
      ],
    });
  });
});
