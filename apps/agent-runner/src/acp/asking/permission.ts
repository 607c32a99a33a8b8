import { matchesGlob } from '@eas/contracts';
import { z } from 'zod';
import type { DenyRule } from '../../presets/deny-rule.ts';
import type { AskedTool } from './asked-tool.ts';

const option = z.looseObject({ optionId: z.string(), kind: z.string() });
export const permissionRequest = z.looseObject({
  toolCall: z.looseObject({ toolCallId: z.string(), rawInput: z.unknown().optional() }),
  options: z.array(option).max(100),
});
export type PermissionRequest = z.infer<typeof permissionRequest>;

/** Whether no rule speaks against it. */
export function isAllowed(rules: readonly DenyRule[], tool: Omit<AskedTool, 'changes'>, rawInput: unknown): boolean {
  const names = [tool.type ?? 'other', tool.name].map((name) => name?.toLowerCase());
  const uses = [tool.title ?? '', ...tool.paths, ...textsOf(rawInput)];
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

const wanted = { allow: ['allow_once', 'allow_always'], reject: ['reject_once', 'reject_always'] };

/** The option to choose: for this once where that is offered. Undefined where there is none of the kind. */
export function optionFor({ options }: PermissionRequest, isGiven: boolean): string | undefined {
  const kinds = isGiven ? wanted.allow : wanted.reject;
  return kinds.flatMap((kind) => options.filter((one) => one.kind === kind))[0]?.optionId;
}
