import { maxShownEntries, type OwnLeases } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { DbScope } from '@eas/db';
import { findHeldLeases } from './lease.read-model.ts';

/** The live leases of an agent, with their tokens: for the agent alone. */
export async function listHeldLeases(scope: DbScope, agentId: string): Promise<OwnLeases> {
  const rows = await findHeldLeases(scope, agentId);
  const leases = rows
    .slice(0, maxShownEntries)
    .filter(({ isLive }) => isLive)
    .map(({ id, fencingToken, expiresAt, taskId, title, status }) => ({
      task: { id: taskId, title, status },
      lease: { lease_id: id, fencing_token: fencingToken, expires_at: expiresAt && formatTimestamp(expiresAt) },
    }));
  return { leases, leases_truncated: rows.length > maxShownEntries };
}
