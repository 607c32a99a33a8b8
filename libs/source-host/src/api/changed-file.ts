import { z } from 'zod';

/** A file that a pull request changes, as the API of a source host shows it; without `patch` it is large, or no text. */
const changedFile = z.looseObject({ filename: z.string().max(4_096), patch: z.string().nullish() });
export const changedFiles = z.array(changedFile);
export type ChangedFile = z.infer<typeof changedFile>;

/** Whether a line of the file as it is after the change is in one of the hunks: others cannot be commented on. */
export function isInDiff(files: readonly ChangedFile[], { path, line }: { path: string; line: number }): boolean {
  const patch = files.find(({ filename }) => filename === path)?.patch ?? '';
  return [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].some(([, from, count = '1']) => {
    const first = Number(from);
    return line >= first && line < first + Number(count);
  });
}
