import type { PermissionResult, PermissionRule, RequestPermissionBody } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { toInputResource } from '../../records/inputs/input.ts';
import { useAnswer } from '../../records/inputs/input.store.ts';
import { decidePermission, onceKeyOf } from '../../records/permissions/decide-permission.ts';
import { rulesFor } from '../../records/permissions/policy.store.ts';
import { isRemembered } from '../../records/permissions/task-permission.store.ts';
import { ask } from './ask-input.ts';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { underLease } from './under-lease.ts';

type Decided = Pick<PermissionResult, 'decision' | 'reason' | 'input'>;

/**
 * Whether an agent may use a tool, by the policies of the task's project and role. Where they say ask: by what a person
 * allowed for the rest of the task, by the answer to the same request, which one call gets, or else by asking now.
 */
export const requestPermission = (
  ctx: UseCaseContext,
  call: LeaseCall<RequestPermissionBody>,
): Promise<PermissionResult> => underLease(ctx, call, (work) => decide(work, call.body), { mayBeParked: true });

const allowed: Decided = { decision: 'allow', reason: null, input: null };

async function decide(work: LeaseWork, body: RequestPermissionBody): Promise<Decided> {
  const { tx, lease, task } = work;
  const { permission, call_id: callId, expires_in_seconds: expires } = body;
  const { projectId, assignedRole: role } = task;
  const rules = await rulesFor(tx, { projectId, role, agentId: lease.agentId });
  const { action, rule } = decidePermission(rules, permission);
  if (action === 'allow') return allowed;
  if (action === 'deny') return { decision: 'reject', reason: deniedText(rule), input: null };
  if (await isRemembered(tx, task.id, permission)) return allowed;
  const permissionKey = onceKeyOf(permission);
  const answered = await useAnswer(tx, { taskId: task.id, permissionKey, callId });
  if (answered?.answer) {
    const { decision, comment = null } = answered.answer;
    const isAllowed = decision === 'allow_once';
    return {
      decision: isAllowed ? 'allow' : 'reject',
      reason: isAllowed ? null : comment,
      input: toInputResource(answered),
    };
  }
  const asking = { kind: 'permission' as const, prompt: permission.title, options: [], blocking: true };
  const { input } = await ask(work, { ...asking, permission, permissionKey, expires_in_seconds: expires });
  return { decision: 'ask', reason: null, input };
}

const deniedText = (rule: PermissionRule | undefined): string =>
  `A permission rule denies this: ${rule?.tool}, ${rule?.pattern}.`;
