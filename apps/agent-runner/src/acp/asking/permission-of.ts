import { type Permission, toolKinds } from '@eas/contracts';
import { z } from 'zod';
import { cleanText, cutText } from '../../clean-text.ts';
import { type Change, cutChange, cutMark, sha256 } from '../events/cut-change.ts';
import type { AskedTool } from './asked-tool.ts';

/** Most that the service takes of a title, a name, a command, a path, and of lists of paths and changes. */
const [maxTitle, maxName, maxCommand, maxPath, maxPaths, maxChanges] = [2_000, 200, 16_384, 4_096, 200, 20];
/** Of command, paths and changes, when serialised: the rest is for title and name. */
const maxBytes = 112 * 1_024;
/** The longest changed text; below the minimum, texts are left out. */
const [maxChangedText, minChangedText] = [16_384, 256];

/** What the request is for, as the service takes it: long texts and lists are cut. */
export function permissionOf(tool: AskedTool, rawInput: unknown): Permission {
  const { type = 'other', name, paths, changes } = tool;
  const title = [tool.title, name].map((text) => cutText(text ?? '', maxTitle)).find((text) => text.trim() !== '');
  return {
    tool: toolKinds.find((kind) => kind === type) ?? 'other',
    ...(name === undefined || name.trim() === '' ? {} : { name: cutText(name, maxName) }),
    title: title ?? 'Use a tool',
    ...shownParts({ command: commandIn(rawInput), paths, changes }),
  };
}

type Parts = Pick<AskedTool, 'paths' | 'changes'> & { command: string };

function shownParts(whole: Parts): Partial<Permission> {
  const command = shownCommand(whole.command);
  const budget = maxBytes - bytesOf(command);
  const paths = shownPaths(whole.paths, budget / 2);
  const changes = whole.changes.slice(0, maxChanges);
  const diff = diffOf(changes, { length: maxChangedText, bytes: budget - bytesOf(paths) });
  const truncated = whole.command.length > maxCommand || paths.length < whole.paths.length;
  const isWhole = !truncated && isAllOf(diff, whole.changes);
  return {
    ...(command.trim() === '' ? {} : { command }),
    ...(diff.length > 0 ? { diff } : {}),
    ...(paths.length > 0 ? { paths } : {}),
    ...(truncated ? { truncated } : {}),
    ...(isWhole ? {} : { digest: sha256(JSON.stringify(whole)) }),
  };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** What is allowed is this command as a whole: of one that is cut, its digest. */
function shownCommand(command: string): string {
  if (command.length <= maxCommand) return cutText(command, maxCommand);
  const end = ` ${cutMark(command)}`;
  return cutText(command, maxCommand - end.length) + end;
}

/** The first paths that fit. A path is never cut: it would be that of another file. */
function shownPaths(paths: readonly string[], bytes: number): string[] {
  let left = bytes;
  return paths.slice(0, maxPaths).filter((path) => path.length <= maxPath && (left -= bytesOf(path) + 1) >= 0);
}

type Diff = NonNullable<Permission['diff']>;

/** Shortens all texts until they fit, then drops the last changes. */
function diffOf(changes: Parts['changes'], { length, bytes }: { length: number; bytes: number }): Diff {
  const diff = changes.map((change) => shownChange(change, length));
  if (bytesOf(diff) <= bytes) return diff;
  if (length > 0) return diffOf(changes, { length: length < minChangedText ? 0 : Math.floor(length / 2), bytes });
  return diffOf(changes.slice(0, -1), { length, bytes });
}

function shownChange(change: Change, length: number): Diff[number] {
  const { path, oldText, newText } = cutChange(change, length);
  return { path: cutText(path, maxPath), old_text: cleanText(oldText), new_text: cleanText(newText) };
}

const isAllOf = (diff: Diff, changes: Parts['changes']): boolean =>
  diff.length === changes.length &&
  changes.every(({ oldText, newText }, at) => diff[at]?.old_text === oldText && diff[at].new_text === newText);

const commandInput = z.looseObject({ command: z.union([z.string(), z.array(z.string())]) });

/** The command among the tool's input; '' where there is none. */
function commandIn(input: unknown): string {
  const { command = '' } = commandInput.safeParse(input).data ?? {};
  return typeof command === 'string' ? command : command.join(' ');
}

/** As a service takes it that is older than lists of paths; undefined: it is like that. */
export function olderFormOf({ paths, truncated, digest, ...older }: Permission): Permission | undefined {
  return [paths, truncated, digest].some((part) => part !== undefined) ? older : undefined;
}
