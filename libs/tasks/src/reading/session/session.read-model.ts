import type { NewSessionEntry, SessionEntry } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { DbScope } from '@eas/db';

type Batch = {
  lastNumber: number;
  at: Date;
  leaseId: string;
  agentId: string;
  attempt: number | null;
  entries: NewSessionEntry[];
  bytes: number;
};

/** Batches of one statement: each has 256 KiB at most. */
const batchesAtOnce = 8;
/** Maximum bytes of entries in one read. */
const maxBytes = 1_024 * 1_024;

const afterSql = `
  SELECT last_number AS "lastNumber", at, lease_id AS "leaseId", agent_id AS "agentId", attempt, entries,
    octet_length(entries::text) AS bytes
  FROM session_batches WHERE tenant_id = $1 AND task_id = $2 AND last_number > $3 ORDER BY last_number LIMIT $4`;

/** Entries of a task's session after a number, in order: at most `limit`, and about 1 MiB. None: there are no more. */
export async function sessionAfter(
  { db, tenantId }: DbScope,
  taskId: string,
  number: number,
  limit: number,
): Promise<SessionEntry[]> {
  const found: SessionEntry[] = [];
  let [after, bytes] = [number, 0];
  while (found.length < limit && bytes < maxBytes) {
    const batches = await db.query<Batch>(afterSql, [tenantId, taskId, after, Math.min(limit, batchesAtOnce)]);
    if (batches.length === 0) break;
    found.push(...batches.flatMap(entriesOf).filter((entry) => entry.number > number));
    for (const batch of batches) [after, bytes] = [batch.lastNumber, bytes + batch.bytes];
  }
  return found.slice(0, limit);
}

function entriesOf({ lastNumber, at, leaseId, agentId, attempt, entries }: Batch): SessionEntry[] {
  const first = lastNumber - entries.length + 1;
  const of = attempt === null ? {} : { attempt };
  const common = { at: formatTimestamp(at), lease_id: leaseId, agent_id: agentId, ...of };
  return entries.map((entry, index) => ({ number: first + index, ...common, ...entry }));
}
