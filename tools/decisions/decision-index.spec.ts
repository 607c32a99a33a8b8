import { describe, expect, it } from '@jest/globals';
import { indexOf, readDecision } from './decision-index.ts';

const rooms = ['tasks', 'shared/db'];
const text = (first: string, line: string): string => `${first}\n\n${line}\n\n## Context\n`;

describe('readDecision', () => {
  it('reads number, title, status and room', () => {
    const read = readDecision('0007-keys.md', text('# 7. Keys', 'Status: accepted; see 9 · Room: shared/db'), rooms);
    expect(read).toEqual({
      file: '0007-keys.md',
      number: 7,
      title: 'Keys',
      status: 'accepted; see 9',
      room: 'shared/db',
    });
  });

  it.each([
    ['another number', '# 8. Keys', 'Status: accepted · Room: tasks', /first line/],
    ['no status', '# 7. Keys', '## Context', /third line/],
    ['an unknown status', '# 7. Keys', 'Status: maybe · Room: tasks', /status must be one of/],
    ['an unknown room', '# 7. Keys', 'Status: accepted · Room: cellar', /room must be one of/],
  ])('refuses %s', (_, first, line, message) => {
    expect(() => readDecision('0007-keys.md', text(first, line), rooms)).toThrow(message);
  });
});

describe('indexOf', () => {
  const decision = (number: number, room: string) => ({
    file: `000${number}-a.md`,
    number,
    title: `T${number}`,
    status: 'accepted',
    room,
  });

  it('lists decisions by room, and the unused numbers', () => {
    const index = indexOf([decision(1, 'shared/db'), decision(2, 'tasks')], rooms, { 3: 'never written.' });
    expect(index).toBe(
      '## tasks\n\n| decision | status |\n|---|---|\n| [2. T2](0002-a.md) | accepted |\n\n' +
        '## shared/db\n\n| decision | status |\n|---|---|\n| [1. T1](0001-a.md) | accepted |\n\n' +
        '## Unused numbers\n\n- 0003: never written.\n',
    );
  });

  it('refuses a number that exists twice, and an unused one that exists', () => {
    expect(() => indexOf([decision(1, 'tasks'), decision(1, 'tasks')], rooms, {})).toThrow('Decision 1 exists twice.');
    expect(() => indexOf([decision(1, 'tasks')], rooms, { 1: 'x' })).toThrow('listed as unused');
  });
});
