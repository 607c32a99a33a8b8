import { createHash } from 'node:crypto';
import { type Permission, type PermissionRule, subjectOf } from '@eas/contracts';
import { fits, isForTool, requestOf } from './rule-fit.ts';

export type PermissionDecision = { action: PermissionRule['action']; rule: PermissionRule | undefined };

/**
 * The first rule that fits decides. Without one it is allowed: what can happen is bounded by the worktree, the environment
 * and the sandbox of the agent, and by the rules of its runner. A person decides about a truncated request that would be
 * allowed, where an earlier rule may fit what is not shown.
 */
export function decidePermission(rules: readonly PermissionRule[], permission: Permission): PermissionDecision {
  const request = requestOf(permission);
  const candidates = rules.filter((one) => isForTool(one, request));
  const rule = candidates.find((one) => fits(one, request));
  const earlier = rule ? candidates.slice(0, candidates.indexOf(rule)) : candidates;
  const isUncertain = request.isTruncated && earlier.some(({ action }) => action !== 'allow');
  const action = rule?.action ?? 'allow';
  return { action: action === 'allow' && isUncertain ? 'ask' : action, rule };
}

const digest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Two requests with the same key are the same for `allow_always`: the tool kind, and the command, or else the title. */
export const alwaysKeyOf = (permission: Permission): string =>
  digest(permission.tool, permission.command === undefined, subjectOf(permission));

/** Two requests with the same key are the same for an answer that is for one call: also by the files that they are about. */
export const onceKeyOf = (permission: Permission): string =>
  digest(
    alwaysKeyOf(permission),
    (permission.diff ?? []).map(({ path, old_text: before, new_text: after }) => [path, before, after]),
    ...[permission.paths, permission.digest].filter((part) => part !== undefined),
  );
