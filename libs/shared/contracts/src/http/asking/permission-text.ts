import type { Permission } from './permission.ts';

type Change = NonNullable<Permission['diff']>[number];

/** More are counted. */
const maxFiles = 20;

/** The files of a permission, one per line, and whether there are more. `maxPath`: most characters of a path. */
export function fileLines({ diff = [], paths = [], truncated }: Permission, maxPath = 4_096): string[] {
  const changed = new Set(diff.map(({ path }) => path));
  const files = [
    ...diff.map((change) => `Changes ${shortPath(change.path, maxPath)} ${countsOf(change)}`),
    ...paths.filter((path) => !changed.has(path)).map((path) => `File ${shortPath(path, maxPath)}`),
  ];
  const more = files.length - maxFiles;
  return [
    ...files.slice(0, maxFiles),
    ...(more > 0 ? [`and ${more} more files`] : []),
    ...(truncated === true ? ['The command or the list of files is cut: there is more than is shown.'] : []),
  ];
}

/** The removed and added lines, from the first difference to the last. */
export function changedLines({ old_text: before, new_text: after }: Change): { removed: string[]; added: string[] } {
  const [removed, added] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(removed.length, added.length);
  let start = 0;
  while (start < shorter && removed[start] === added[start]) start += 1;
  let end = 0;
  while (end < shorter - start && removed.at(-1 - end) === added.at(-1 - end)) end += 1;
  return { removed: removed.slice(start, removed.length - end), added: added.slice(start, added.length - end) };
}

function countsOf(change: Change): string {
  const { removed, added } = changedLines(change);
  return `(+${added.length} -${removed.length})`;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** In one line, and without its middle where it is too long. */
function shortPath(path: string, max: number): string {
  const line = path.replaceAll(/\s/g, ' ');
  if (line.length <= max) return line;
  const head = Math.floor(max / 3);
  return `${line.slice(0, head)}…${line.slice(line.length - (max - head - 1))}`;
}
