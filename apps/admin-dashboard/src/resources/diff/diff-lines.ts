import { structuredPatch } from 'diff';

/** A line of a diff. `number`: its line in the new file, or in the old one if it was removed. */
export type DiffLine = { kind: 'same' | 'added' | 'removed'; number: number; text: string };

const kinds: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };
/** Longer comparisons are given up: then all lines count as removed and added. */
const maxMs = 200;

/** What changed, with some lines around it, hunk by hunk. */
export function diffLines(oldText: string, newText: string): DiffLine[][] {
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, { context: 3, timeout: maxMs });
  if (!patch) return [[...linesOf(oldText, 'removed'), ...linesOf(newText, 'added')]];
  return patch.hunks.map(({ oldStart, newStart, lines }) => {
    let [before, now] = [oldStart, newStart];
    return lines.flatMap((line) => {
      const kind = kinds[line.charAt(0)];
      // "\ No newline at end of file"
      if (!kind) return [];
      const number = kind === 'removed' ? before : now;
      if (kind !== 'added') before += 1;
      if (kind !== 'removed') now += 1;
      return [{ kind, number, text: line.slice(1) }];
    });
  });
}

const linesOf = (text: string, kind: DiffLine['kind']): DiffLine[] =>
  text === '' ? [] : text.split('\n').map((line, at) => ({ kind, number: at + 1, text: line }));
