import { matchesGlob, type Permission, type PermissionRule } from '@eas/contracts';
import { hasSameOperators } from './shell-operators.ts';

export type Request = {
  /** What the rules call its tool. */
  names: readonly string[];
  title: string;
  command: string | undefined;
  paths: readonly string[];
  /** What a shell runs; of some agents only the title says it. */
  shellText: string | undefined;
};

export function requestOf({ tool, name, title, command, diff = [] }: Permission): Request {
  const runsTitle = tool === 'execute' || tool === 'other';
  return {
    names: ['*', tool, ...(name === undefined ? [] : [name.toLowerCase()])],
    title: title.trim(),
    command: command?.trim(),
    paths: [...new Set(diff.map(({ path }) => path.trim()))],
    shellText: (command ?? (runsTitle ? title : undefined))?.trim(),
  };
}

export const isForTool = ({ tool }: PermissionRule, { names }: Request): boolean => names.includes(tool.toLowerCase());

/** `deny` and `ask` fit if one part of the request fits, `allow` only if all of it does. */
export const fits = (rule: PermissionRule, request: Request): boolean =>
  rule.action === 'allow' ? coversAll(rule.pattern, request) : matchesAny(rule.pattern, request);

const matchesAny = (pattern: string, { title, command, paths }: Request): boolean =>
  [title, ...(command === undefined ? [] : [command]), ...paths].some((part) => matchesGlob(pattern, part));

/** The agent writes the title as it likes: it counts only where there is nothing else. */
function coversAll(pattern: string, { title, command, paths, shellText }: Request): boolean {
  if (/^\*+$/.test(pattern)) return true;
  const parts = [...(command === undefined ? [] : [command]), ...paths];
  return (
    (parts.length > 0 ? parts : [title]).every((part) => matchesGlob(pattern, part)) &&
    (shellText === undefined || hasSameOperators(pattern, shellText))
  );
}
