import { describe, expect, it } from '@jest/globals';
import { readBlobs, readNumstat, readPush, readStatus } from './git-lists.ts';

describe('what git prints', () => {
  it('are the paths of changed files, whatever is in their names', () =>
    expect(readStatus(' M a.ts\0?? new\nline\tand tab\0D  gone\0')).toEqual(['a.ts', 'new\nline\tand tab', 'gone']));

  it('are lines of each file, and none of a binary one', () =>
    expect(readNumstat('3\t1\ta b.ts\0-\t-\tlogo.png\0')).toEqual([
      { path: 'a b.ts', insertions: 3, deletions: 1 },
      { path: 'logo.png', insertions: null, deletions: null },
    ]));

  it('is the result for the pushed branch', () => {
    const ref = 'refs/heads/task/t';
    const line = (flag: string, summary: string) => `To /srv/x\n${flag}\t${ref}:${ref}\t${summary}\nDone\n`;
    expect(readPush(line('*', '[new branch]'), ref)).toEqual({ flag: '*', summary: '[new branch]' });
    expect(readPush(line(' ', 'abc..def'), ref)).toEqual({ flag: '', summary: 'abc..def' });
    expect(readPush(line('!', '[rejected] (fetch first)'), ref)).toMatchObject({ flag: '!' });
    expect(readPush('', ref)).toBeUndefined();
  });

  it('are sizes of files, and nothing else', () =>
    expect(readBlobs('commit 200 \ntree 30 \nblob 7 a b\nblob 9 \n')).toEqual([
      { path: 'a b', bytes: 7 },
      { path: '', bytes: 9 },
    ]));
});
