import type { DbScope } from '@eas/db';
import { claimsSql } from '../timeline/timeline.store.ts';
import { emptySession, type SessionHead } from './session.ts';

const findSql = `
  SELECT fencing_token AS "fencingToken", next_entry AS "nextEntry", last_number AS "lastNumber", bytes::float8 AS bytes,
    coalesce(followed_until > app_now(), false) AS "isFollowed"
  FROM task_sessions WHERE tenant_id = $1 AND task_id = $2`;

/** Of a task without one: an empty session. */
export async function findSession({ db, tenantId }: DbScope, taskId: string): Promise<SessionHead> {
  const [head] = await db.query<SessionHead>(findSql, [tenantId, taskId]);
  return head ?? emptySession;
}

const appendSql = `
  WITH head AS (
    INSERT INTO task_sessions (tenant_id, task_id, fencing_token, next_entry, last_number, bytes)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (tenant_id, task_id) DO UPDATE SET fencing_token = excluded.fencing_token,
      next_entry = excluded.next_entry, last_number = excluded.last_number, bytes = excluded.bytes
  )
  INSERT INTO session_batches (tenant_id, task_id, last_number, at, lease_id, agent_id, entries, attempt)
  VALUES ($1, $2, $5, $7, $8, $9, $10, coalesce(
    -- That of the batch before, if it is of the same lease: claims are counted once.
    (SELECT attempt FROM session_batches WHERE tenant_id = $1 AND task_id = $2 AND last_number = $11 AND lease_id = $8),
    ${claimsSql('$1', '$2')}))`;

/** `after`: number of the last entry before it. */
type Batch = { taskId: string; leaseId: string; agentId: string; at: Date; after: number; text: string };

/** Writes a batch, as JSON, behind all others of a locked task; `head` is that of the session with it. */
export async function insertBatch({ db, tenantId }: DbScope, head: SessionHead, batch: Batch): Promise<void> {
  const { fencingToken, nextEntry, lastNumber, bytes } = head;
  const { taskId, leaseId, agentId, at, after, text } = batch;
  const counts = [fencingToken, nextEntry, lastNumber, bytes];
  await db.query(appendSql, [tenantId, taskId, ...counts, at, leaseId, agentId, text, after]);
}

const followSql = `
  INSERT INTO task_sessions AS s (tenant_id, task_id, fencing_token, next_entry, last_number, bytes, followed_until)
  VALUES ($1, $2, $3, $4, $5, $6, app_now() + interval '45 seconds')
  ON CONFLICT (tenant_id, task_id) DO UPDATE SET followed_until = excluded.followed_until
  WHERE s.followed_until IS NULL OR s.followed_until < app_now() + interval '25 seconds'`;

/** Records that the live session of a task is being read, for 45 s. */
export async function markFollowed({ db, tenantId }: DbScope, taskId: string): Promise<void> {
  const { fencingToken, nextEntry, lastNumber, bytes } = emptySession;
  await db.query(followSql, [tenantId, taskId, fencingToken, nextEntry, lastNumber, bytes]);
}

/** The key under which streams of a session are woken. */
export const sessionKey = (taskId: string): string => `session ${taskId}`;
