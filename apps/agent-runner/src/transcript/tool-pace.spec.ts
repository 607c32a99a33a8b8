import { describe, expect, it } from '@jest/globals';
import { createToolPace, type ToolEntry } from './tool-pace.ts';

function scene() {
  let nowMs = 0;
  const pace = createToolPace(() => nowMs);
  const tool = (more: object, id = 'c1'): ToolEntry => ({ kind: 'tool', id, ...more });
  return { pace, tool, wait: (ms: number) => void (nowMs += ms) };
}

describe('the pace of updates of a tool call', () => {
  it('is a bound of what hours of output take: some at first, then one in 10 s, and the last one', () => {
    const { pace, tool, wait } = scene();
    const sent: ToolEntry[] = [];
    for (let ms = 0; ms < 3_600_000; ms += 100) {
      sent.push(...pace.due(false), ...pace.add(tool({ status: 'in_progress', output: `${ms}` })));
      wait(100);
    }
    expect(sent.slice(0, 5).map(({ output }) => output)).toEqual(['0', '900', '1900', '2900', '3900']);
    expect(sent.length).toBeLessThan(400);
    expect(pace.due(true)).toEqual([tool({ status: 'in_progress', output: '3599900' })]);
    expect(pace.isEmpty()).toBe(true);
  });

  it('does not hold up another status, which brings all that is held', () => {
    const { pace, tool } = scene();
    pace.add(tool({ status: 'in_progress', title: 'npm test' }));
    expect(pace.add(tool({ title: 'npm test -- all' }))).toEqual([]);
    expect(pace.add(tool({ output: 'ok' }))).toEqual([]);
    const last = tool({ title: 'npm test -- all', output: 'ok', status: 'completed' });
    expect(pace.add(tool({ status: 'completed' }))).toEqual([last]);
    expect(pace.isEmpty()).toBe(true);
  });

  it('lets the last update go when nothing more comes', () => {
    const { pace, tool, wait } = scene();
    pace.add(tool({ output: 'a' }));
    pace.add(tool({ output: 'ab' }));
    expect(pace.due(false)).toEqual([]);
    wait(1_000);
    expect(pace.due(false)).toEqual([tool({ output: 'ab' })]);
  });

  it('is that of each call by itself, and what is held of a call that is forgotten is not lost', () => {
    const { pace, tool } = scene();
    expect(pace.add(tool({ output: 'a' }))).toHaveLength(1);
    expect(pace.add(tool({ output: 'ab' }))).toHaveLength(0);
    const others = Array.from({ length: 200 }, (_, n) => pace.add(tool({ output: 'x' }, `other ${n}`)));
    expect(others.flat()).toHaveLength(201);
    expect(others.flat()).toContainEqual(tool({ output: 'ab' }));
  });
});
