import { createHash } from 'node:crypto';
import { matchesGlob, type Permission, type PermissionRule, subjectOf } from '@eas/contracts';

export type PermissionDecision = { action: PermissionRule['action']; rule: PermissionRule | undefined };

/**
 * The first rule that fits decides. Without one it is allowed: what can happen is bounded by the worktree, the environment
 * and the sandbox of the agent, and by the rules of its runner.
 */
export function decidePermission(rules: readonly PermissionRule[], permission: Permission): PermissionDecision {
  const { tool, name, title, command, diff = [] } = permission;
  const names = ['*', tool, name?.toLowerCase()];
  const uses = [title, ...(command === undefined ? [] : [command]), ...diff.map(({ path }) => path)];
  const rule = rules.find(
    (one) => names.includes(one.tool.toLowerCase()) && uses.some((use) => matchesGlob(one.pattern, use.trim())),
  );
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
