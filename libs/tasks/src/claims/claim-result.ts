import type { ClaimContext, ClaimResult, Directive } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { DbScope } from '@eas/db';
import { toResource } from '../tasks/task-resource.ts';
import type { Task } from '../tasks/task.ts';
import { findClaimContext } from './claim-context.read-model.ts';

type GivenLease = { leaseId: string; fencingToken: number; expiresAt: Date };

/** The answer of a claim: the task as it is under its lease, and all that the agent has to know. */
export async function claimResult(scope: DbScope, task: Task, lease: GivenLease): Promise<ClaimResult> {
  const { told, directives } = isUntouched(task) ? nothingTold : await findClaimContext(scope, task.id);
  const { leaseId, fencingToken, expiresAt } = lease;
  return {
    task: toResource(task),
    lease: { lease_id: leaseId, fencing_token: fencingToken, expires_at: formatTimestamp(expiresAt) },
    context: {
      ...told,
      failures: task.failures,
      lost_leases: task.lostLeases,
      contract: task.contract,
    },
    directives,
  };
}

const nothingTold = {
  told: { attempt: 1, checkpoint: null, handoff: null, artifacts: [], answers: [], parent: null },
  directives: [],
} satisfies { told: Omit<ClaimContext, 'failures' | 'lost_leases' | 'contract'>; directives: Directive[] };

/** Nobody held it before, nobody said anything: most claims need no look at what there is. */
function isUntouched({ fencingToken, directiveSeq, reviewOf }: Task): boolean {
  return fencingToken === 1 && directiveSeq === 0 && reviewOf === null;
}
