import { matchesGlob, type Permission, type PermissionRule } from '@eas/contracts';
import { hasSameOperators } from './shell-operators.ts';

/** What rules are compared with. */
export type Request = {
  /** What they call its tool. */
  tools: readonly string[];
  /** For `ask` and `deny` one of these has to fit, for `allow` each of `whole`. */
  parts: readonly string[];
  whole: readonly string[];
  /** What a shell runs; of some agents only the title says it. */
  shellText: string | undefined;
  /** There is more than is shown. */
  isTruncated: boolean;
};

export function requestOf(permission: Permission): Request {
  const { tool, name, title, command } = permission;
  const commands = command === undefined ? [] : [command.trim()];
  const paths = pathsOf(permission);
  const runsTitle = tool === 'execute' || tool === 'other';
  const whole = [...commands, ...paths];
  return {
    tools: ['*', tool, ...(name === undefined ? [] : [name.toLowerCase()])],
    parts: [title.trim(), ...commands, ...paths.flatMap(namesOf)],
    // The agent writes the title as it likes: it counts only where there is nothing else.
    whole: whole.length > 0 ? whole : [title.trim()],
    shellText: (command ?? (runsTitle ? title : undefined))?.trim(),
    isTruncated: permission.truncated === true,
  };
}

/** Runners that are older than `paths` send those of changes alone. */
const pathsOf = ({ paths = [], diff = [] }: Permission): string[] => [
  ...new Set([...paths, ...diff.map(({ path }) => path)].map((path) => path.trim())),
];

/** Also with a slash: a pattern for a file in any folder is for that of the worktree as well. */
const namesOf = (path: string): string[] => (path.startsWith('/') ? [path] : [path, `/${path}`]);

export const isForTool = ({ tool }: PermissionRule, { tools }: Request): boolean => tools.includes(tool.toLowerCase());

export const fits = ({ action, pattern }: PermissionRule, request: Request): boolean =>
  action === 'allow' ? coversAll(pattern, request) : request.parts.some((part) => matchesGlob(pattern, part));

function coversAll(pattern: string, { whole, shellText, isTruncated }: Request): boolean {
  if (/^\*+$/.test(pattern)) return true;
  return (
    !isTruncated &&
    whole.every((part) => matchesGlob(pattern, part)) &&
    (shellText === undefined || hasSameOperators(pattern, shellText))
  );
}
