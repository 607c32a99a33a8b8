import type { ArtifactBody, ArtifactResource, LeaseResult, NewArtifact } from '@eas/contracts';
import { AppError, formatTimestamp, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { underLease } from './under-lease.ts';
import { type ArtifactRow, countArtifacts, insertArtifacts, maxArtifacts } from '../../records/tasks/artifact.store.ts';

export async function attachArtifact(
  ctx: UseCaseContext,
  call: LeaseCall<ArtifactBody>,
): Promise<LeaseResult & { artifact: ArtifactResource }> {
  const { fencing_token: _, ...made } = call.body;
  return underLease(ctx, call, async (work) => {
    const [row] = await addArtifacts(work, [made]);
    if (!row) throw new Error('an artifact was not made');
    return { artifact: toResource(row) };
  });
}

/** Adds artifacts to the task of a call under a lease. Throws 409 `limit` when it would have too many. */
export async function addArtifacts(
  { tx, lease, task, change }: LeaseWork,
  made: readonly NewArtifact[],
): Promise<ArtifactRow[]> {
  if (made.length === 0) return [];
  if ((await countArtifacts(tx, task.id)) + made.length > maxArtifacts) throw tooMany();
  const rows = made.map(({ kind, title = null, url = null, sha = null, data = null, content = null }) => ({
    id: newId('artifact'),
    taskId: task.id,
    leaseId: lease.id,
    agentId: lease.agentId,
    kind,
    title,
    url,
    sha,
    data,
    content,
    createdAt: change.at,
  }));
  await insertArtifacts(tx, rows);
  made.forEach(({ kind, title, url }, index) => {
    const named = { ...(title === undefined ? {} : { title }), ...(url === undefined ? {} : { url }) };
    change.addEntry('artifact', { artifact_id: rows[index]?.id, kind, ...named });
  });
  return rows;
}

function tooMany(): AppError {
  const message = `The task already has ${maxArtifacts} artifacts, the maximum.`;
  return new AppError('conflict', { field: 'artifacts', constraint: 'limit', message });
}

function toResource(row: ArtifactRow): ArtifactResource {
  const { id, kind, title, url, sha, data, taskId, leaseId, agentId, createdAt } = row;
  return {
    id,
    kind,
    title,
    url,
    sha,
    data,
    task_id: taskId,
    lease_id: leaseId,
    agent_id: agentId,
    created_at: formatTimestamp(createdAt),
  };
}
