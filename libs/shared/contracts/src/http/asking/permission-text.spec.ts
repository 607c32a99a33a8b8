import { describe, expect, it } from '@jest/globals';
import { changedLines, fileLines } from './permission-text.ts';

const change = (path: string, old_text: string, new_text: string) => ({ path, old_text, new_text });
const edit = { tool: 'edit' as const, title: 'Edit' };

describe('the files of a permission', () => {
  it('are the changed ones with their line counts, and then the others', () => {
    const diff = [change('a.ts', 'one\ntwo\nthree\n', 'one\n2\n2.5\nthree\n'), change('b.ts', '', 'new\n')];
    expect(fileLines({ ...edit, diff, paths: ['a.ts', '.env', 'b.ts'] })).toEqual([
      'Changes a.ts (+2 -1)',
      'Changes b.ts (+1 -0)',
      'File .env',
    ]);
    expect(fileLines(edit)).toEqual([]);
  });

  it('are at most twenty with a count of the others; cuts are marked', () => {
    const paths = Array.from({ length: 23 }, (_, at) => `a${at}`);
    expect(fileLines({ ...edit, paths, truncated: true }).slice(19)).toEqual([
      'File a19',
      'and 3 more files',
      'The command or the list of files is cut: there is more than is shown.',
    ]);
  });

  it('are on one line each, and a long path is shortened in the middle', () => {
    const [line] = fileLines({ ...edit, paths: [`/etc/${'x'.repeat(500)}\n/.env`] }, 30);
    expect(line).toBe(`File /etc/xxxxx…${'x'.repeat(13)} /.env`);
  });
});

describe('the changed lines of a file', () => {
  it.each([
    ['a\nb\nc', 'a\nx\nc', ['b'], ['x']],
    ['a\na', 'a\na\na', [], ['a']],
    ['', 'a', [], ['a']],
    ['a\n', '', ['a'], []],
    ['a', 'a', [], []],
  ])('from %j to %j are %j and %j', (before, after, removed, added) => {
    expect(changedLines(change('a', before, after))).toEqual({ removed, added });
  });
});
