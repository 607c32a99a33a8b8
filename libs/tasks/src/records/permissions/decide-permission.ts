import { createHash } from 'node:crypto';
import { type Permission, type PermissionRule, subjectOf } from '@eas/contracts';
import { fits, isForTool, requestOf } from './rule-fit.ts';

export type PermissionDecision = { action: PermissionRule['action']; rule: PermissionRule | undefined };

/**
 * The first rule that fits decides. Without one it is allowed: what can happen is bounded by the worktree, the environment
 * and the sandbox of the agent, and by the rules of its runner.
 */
export function decidePermission(rules: readonly PermissionRule[], permission: Permission): PermissionDecision {
  const request = requestOf(permission);
  const rule = rules.find((one) => isForTool(one, request) && fits(one, request));
  return { action: rule?.action ?? 'allow', rule };
}

const digest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Two requests with the same key are the same for `allow_always`: the tool kind, and the command, or else the title. */
export const alwaysKeyOf = (permission: Permission): string =>
  digest(permission.tool, permission.command === undefined, subjectOf(permission));

/** Two requests with the same key are the same for an answer that is for one call: also by what they would change. */
export const onceKeyOf = (permission: Permission): string =>
  digest(
    alwaysKeyOf(permission),
    (permission.diff ?? []).map(({ path, old_text: before, new_text: after }) => [path, before, after]),
  );
