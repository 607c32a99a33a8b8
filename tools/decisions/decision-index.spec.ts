import { describe, expect, it } from '@jest/globals';
import { indexOf, readDecision } from './decision-index.ts';

const modules = ['tasks', 'shared/db'];
const text = (first: string, line: string): string => `${first}\n\n${line}\n\n## Context\n`;

describe('readDecision', () => {
  it('reads number, title, status, module and the numbers that it replaces', () => {
    const line = 'Status: accepted; see 9 · Module: shared/db · Replaces: 1, 12';
    expect(readDecision('0207-keys.md', text('# 207. Keys', line), modules)).toEqual({
      file: '0207-keys.md',
      number: 207,
      title: 'Keys',
      status: 'accepted; see 9',
      module: 'shared/db',
      replaces: [1, 12],
    });
  });

  it.each([
    ['another number', '# 8. Keys', 'Status: accepted · Module: tasks', /first line/],
    ['no status', '# 7. Keys', '## Context', /third line/],
    [
      'a list of replaced decisions without numbers',
      '# 7. Keys',
      'Status: accepted · Module: tasks · Replaces: x',
      /third/,
    ],
    ['an unknown status', '# 7. Keys', 'Status: maybe · Module: tasks', /status must be one of/],
    ['an unknown module', '# 7. Keys', 'Status: accepted · Module: cellar', /module must be one of/],
  ])('refuses %s', (_, first, line, message) => {
    expect(() => readDecision('0007-keys.md', text(first, line), modules)).toThrow(message);
  });
});

describe('indexOf', () => {
  const decision = (number: number, module: string, replaces: number[] = []) => ({
    file: `0${number}-a.md`,
    number,
    title: `T${number}`,
    status: 'accepted',
    module,
    replaces,
  });

  it('lists decisions by module, and where earlier numbers went', () => {
    expect(indexOf([decision(201, 'shared/db', [3, 1]), decision(202, 'tasks', [2])], modules)).toBe(
      '| decision | module | status |\n|---|---|---|\n' +
        '| [202. T202](0202-a.md) | tasks | accepted |\n| [201. T201](0201-a.md) | shared/db | accepted |\n' +
        '\n## Earlier numbers\n\n1 → [201](0201-a.md) · 2 → [202](0202-a.md) · 3 → [201](0201-a.md)\n',
    );
  });

  it('refuses a number that exists or is replaced twice', () => {
    expect(() => indexOf([decision(201, 'tasks'), decision(201, 'tasks')], modules)).toThrow('Decision 201 exists');
    expect(() => indexOf([decision(201, 'tasks', [1]), decision(202, 'tasks', [1])], modules)).toThrow(
      'replaced twice',
    );
  });

  it('refuses more than 30 records', () => {
    const many = Array.from({ length: 31 }, (_, at) => decision(201 + at, 'tasks'));
    expect(() => indexOf(many, modules)).toThrow('Merge two of one subject.');
  });
});
