import { expect, it } from '@jest/globals';
import { isInDiff } from './changed-file.ts';

const patch = '@@ -1,2 +1,3 @@ begin\n a\n+b\n c\n@@ -10 +12 @@\n-old\n+new\n@@ -20,2 +21,0 @@\n-x\n-y';
const files = [{ filename: 'a.ts', patch }, { filename: 'logo.png' }];

it('the lines of a diff are those of its hunks, as they are after the change', () => {
  const lines = Array.from({ length: 30 }, (_, line) => line).filter((line) => isInDiff(files, { path: 'a.ts', line }));
  expect(lines).toEqual([1, 2, 3, 12]);
  expect(isInDiff(files, { path: 'logo.png', line: 1 })).toBe(false);
  expect(isInDiff(files, { path: 'b.ts', line: 1 })).toBe(false);
});
