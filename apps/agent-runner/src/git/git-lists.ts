// What git prints for programs, read; pure.

/** Paths of `git status --porcelain=v1 -z --no-renames`. */
export function readStatus(text: string): string[] {
  return text.split('\0').flatMap((line) => (line.length > 3 ? [line.slice(3)] : []));
}

/** null: the file is binary. */
export type FileChange = { path: string; insertions: number | null; deletions: number | null };

/** The files of `git diff --numstat -z --no-renames`. */
export function readNumstat(text: string): FileChange[] {
  return text.split('\0').flatMap((line) => {
    const [, insertions, deletions, path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(line) ?? [];
    const count = (digits: string | undefined) => (digits === '-' ? null : Number(digits));
    return path === undefined ? [] : [{ path, insertions: count(insertions), deletions: count(deletions) }];
  });
}

export type PushedRef = { flag: string; summary: string };

/** The ref that was pushed with `git push --porcelain`; undefined: it did not come to that. */
export function readPush(text: string, ref: string): PushedRef | undefined {
  for (const line of text.split('\n')) {
    const [flag = '', refs = '', summary = ''] = line.split('\t');
    if (refs.endsWith(`:${ref}`)) return { flag: flag.trim(), summary };
  }
  return undefined;
}

/** Names and sizes of blobs, of `git cat-file --batch-check='%(objecttype) %(objectsize) %(rest)'`. */
export function readBlobs(text: string): { path: string; bytes: number }[] {
  return text.split('\n').flatMap((line) => {
    const [, bytes, path = ''] = /^blob (\d+) (.*)$/.exec(line) ?? [];
    return bytes === undefined ? [] : [{ path, bytes: Number(bytes) }];
  });
}
