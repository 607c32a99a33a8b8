import type { ClaimResult } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { DbScope } from '@eas/db';
import { claimedProject, findProjectsOf } from '../../records/projects/claimed-project.read-model.ts';
import { toResource } from '../../records/tasks/task-resource.ts';
import type { Task } from '../../records/tasks/task.ts';
import { findClaimContexts, type FoundContext } from './claim-context.read-model.ts';

export type Claimed = Task & { expiresAt: Date };

/** The responses of claims, in their order: each task as it is under its lease, and all that its agent has to know. */
export async function claimResults(scope: DbScope, tasks: readonly Claimed[]): Promise<ClaimResult[]> {
  const touched = tasks.filter((task) => !isUntouched(task)).map(({ id }) => id);
  const [found, projects] = await Promise.all([findClaimContexts(scope, touched), findProjectsOf(scope, tasks)]);
  return tasks.map((task) => {
    const project = projects.get(task.projectId ?? '');
    return resultOf(task, found.get(task.id) ?? emptyContext, project ? claimedProject(project, task) : null);
  });
}

function resultOf(
  task: Claimed,
  { known, directives }: FoundContext,
  project: ClaimResult['context']['project'],
): ClaimResult {
  const { leaseId, fencingToken, expiresAt } = task;
  return {
    task: toResource(task),
    lease: { lease_id: leaseId ?? '', fencing_token: fencingToken, expires_at: formatTimestamp(expiresAt) },
    context: {
      ...known,
      failures: task.failures,
      lost_leases: task.lostLeases,
      contract: task.acceptance,
      project,
    },
    directives,
  };
}

const emptyContext: FoundContext = {
  known: { attempt: 1, checkpoint: null, handoff: null, artifacts: [], answers: [], parent: null },
  directives: [],
};

/** It was not held before and has no messages: most claims need no further reads. */
function isUntouched({ fencingToken, directiveSeq, reviewOf }: Task): boolean {
  return fencingToken === 1 && directiveSeq === 0 && reviewOf === null;
}
