import { createHash } from 'node:crypto';
import { matchesGlob, type Permission, toolKinds } from '@eas/contracts';
import { z } from 'zod';
import { cutText } from '../../clean-text.ts';
import type { DenyRule } from '../../presets/deny-rule.ts';
import { changesIn, type ToolEvent } from '../events/event.ts';

const option = z.looseObject({ optionId: z.string(), kind: z.string() });
export const permissionRequest = z.looseObject({
  toolCall: z.looseObject({ toolCallId: z.string(), rawInput: z.unknown().optional() }),
  options: z.array(option).max(100),
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

export type Tool = Pick<ToolEvent, 'type' | 'name' | 'title'>;

/** Whether no rule speaks against it. */
export function isAllowed(rules: readonly DenyRule[], tool: Tool, rawInput: unknown): boolean {
  const names = [tool.type ?? 'other', tool.name].map((name) => name?.toLowerCase());
  const uses = [tool.title ?? '', ...textsOf(rawInput)];
  return !rules.some(
    ({ tool: denied, pattern }) =>
      (denied === '*' || names.includes(denied)) && uses.some((use) => matchesGlob(pattern, use.trim())),
  );
}

/** The texts of a tool's input: commands, paths, addresses. */
function textsOf(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null) return [];
  const values = Object.values(input).filter((value) => value !== null && value !== undefined);
  const listed = Array.isArray(input) ? [values.map(String).join(' ')] : [];
  return [...listed, ...values.flatMap(textsOf)];
}

/** Most that the service takes of a title, a name, a command, a path and a list of changes. */
const [maxTitle, maxName, maxCommand, maxPath, maxChanges] = [2_000, 200, 16_384, 4_096, 20];
/** Of command and changes, when serialised: the rest is for title and name. */
const maxBytes = 112 * 1_024;
const maxChangedText = 16_384;

/** What the request is for, as the service takes it: long texts are cut. */
export function permissionOf(tool: Tool, { toolCall }: PermissionRequest): Permission {
  const { type = 'other', name } = tool;
  const title = [tool.title, name].map((text) => cutText(text ?? '', maxTitle)).find((text) => text.trim() !== '');
  const command = shownCommand(commandIn(toolCall.rawInput));
  const changes = changesIn(toolCall).slice(0, maxChanges);
  const diff = diffOf(changes, { length: maxChangedText, bytes: maxBytes - bytesOf(command) });
  return {
    tool: toolKinds.find((kind) => kind === type) ?? 'other',
    ...(name === undefined || name.trim() === '' ? {} : { name: cutText(name, maxName) }),
    title: title ?? 'Use a tool',
    ...(command.trim() === '' ? {} : { command }),
    ...(diff.length > 0 ? { diff } : {}),
  };
}

/** What is allowed is this command as a whole: of one that is cut, its digest. */
function shownCommand(command: string): string {
  if (command.length <= maxCommand) return cutText(command, maxCommand);
  const end = ` … (cut, SHA-256 ${createHash('sha256').update(command).digest('hex')})`;
  return cutText(command, maxCommand - end.length) + end;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

type Changes = ReturnType<typeof changesIn>;

/** Each text as long as all of them fit, and then as many changes as fit. */
function diffOf(changes: Changes, { length, bytes }: { length: number; bytes: number }): Diff {
  const diff = changes.map(({ path, oldText, newText }) => ({
    path: cutText(path, maxPath) || '?',
    old_text: cutText(oldText, length),
    new_text: cutText(newText, length),
  }));
  if (bytesOf(diff) <= bytes) return diff;
  if (length > 0) return diffOf(changes, { length: Math.floor(length / 2), bytes });
  return diffOf(changes.slice(0, -1), { length, bytes });
}

type Diff = NonNullable<Permission['diff']>;

const commandInput = z.looseObject({ command: z.union([z.string(), z.array(z.string())]) });

/** The command among the tool's input; '' where there is none. */
function commandIn(input: unknown): string {
  const { command = '' } = commandInput.safeParse(input).data ?? {};
  return typeof command === 'string' ? command : command.join(' ');
}

const wanted = { allow: ['allow_once', 'allow_always'], reject: ['reject_once', 'reject_always'] };

/** The option to choose: for this once where that is offered. Undefined where there is none of the kind. */
export function optionFor({ options }: PermissionRequest, isGiven: boolean): string | undefined {
  const kinds = isGiven ? wanted.allow : wanted.reject;
  return kinds.flatMap((kind) => options.filter((one) => one.kind === kind))[0]?.optionId;
}
