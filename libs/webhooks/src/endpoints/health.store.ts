import type { DbScope, Tx } from '@eas/db';
import { type Health, heldReason } from './health.ts';

/** An endpoint's health as its row has it. */
export type EndpointHealth = Health & { id: string; url: string };

const lockSql = `
  SELECT id, url, status, failures_in_row AS "failuresInRow", failing_since AS "failingSince",
    status_reason IS NOT DISTINCT FROM '${heldReason}' AS "isHeld"
  FROM endpoints WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** Undefined: it was deleted. */
export async function lockHealth({ db, tenantId }: Tx, endpointId: string): Promise<EndpointHealth | undefined> {
  const [health] = await db.query<EndpointHealth>(lockSql, [tenantId, endpointId]);
  return health;
}

const saveSql = `
  UPDATE endpoints SET failures_in_row = $3, failing_since = $4,
    last_success_at = greatest(last_success_at, $5), last_failure_at = greatest(last_failure_at, $6)
  WHERE tenant_id = $1 AND id = $2`;

/** Writes what attempts change; nothing that a client sets, so the version stays. */
export async function saveHealth(
  { db, tenantId }: DbScope,
  id: string,
  { failuresInRow, failingSince, succeededAt, failedAt }: Health & { succeededAt: Date | null; failedAt: Date | null },
): Promise<void> {
  await db.query(saveSql, [tenantId, id, failuresInRow, failingSince, succeededAt, failedAt]);
}

const statusSql = `
  UPDATE endpoints SET status = $3, status_reason = $4, status_changed_at = $5, probe_at = $6, probes = 0,
    updated_at = $5, version = version + 1
  WHERE tenant_id = $1 AND id = $2`;

/** `probeAt`: when a paused one is tried first. */
export async function saveStatus(
  { db, tenantId }: DbScope,
  id: string,
  { status, reason, at, probeAt }: { status: string; reason: string | null; at: Date; probeAt: Date | null },
): Promise<void> {
  await db.query(statusSql, [tenantId, id, status, reason, at, probeAt]);
}

const holdSql = `
  UPDATE endpoints SET status = 'paused', status_reason = '${heldReason}', status_changed_at = $2, probe_at = NULL, probes = 0,
    updated_at = $2, version = version + 1
  WHERE tenant_id = $1 AND status <> 'disabled' AND status_reason IS DISTINCT FROM '${heldReason}' AND deleted_at IS NULL`;

/** Pauses all endpoints that are not disabled. They are never probed. */
export async function holdAll({ db, tenantId }: DbScope, at: Date): Promise<void> {
  await db.query(holdSql, [tenantId, at]);
}

const releaseSql = `
  UPDATE endpoints SET status = 'active', status_reason = NULL, status_changed_at = $2, failures_in_row = 0,
    failing_since = NULL, updated_at = $2, version = version + 1
  WHERE tenant_id = $1 AND status = 'paused' AND status_reason = '${heldReason}' AND deleted_at IS NULL`;

/** Ends what `holdAll` did. */
export async function releaseAll({ db, tenantId }: DbScope, at: Date): Promise<void> {
  await db.query(releaseSql, [tenantId, at]);
}

const reserveSql = `
  UPDATE endpoints e SET next_send_at = slot.begins_at + slot.allowed * interval '1 second' / slot.rate
  FROM (
    SELECT id, max_per_second AS rate, greatest(next_send_at, app_now()) AS begins_at, least($3::int, greatest(0, floor(
        (1 - extract(epoch FROM greatest(next_send_at, app_now()) - app_now())) * max_per_second))::int) AS allowed
    FROM endpoints WHERE tenant_id = $1 AND id = $2 AND max_per_second IS NOT NULL FOR NO KEY UPDATE
  ) AS slot
  WHERE e.tenant_id = $1 AND e.id = $2
  RETURNING slot.allowed, e.next_send_at AS "freeAt"`;

/** Of `wanted` deliveries, how many may go to the endpoint now by its cap, and when it is free again for others. */
export async function reserveSends(
  { db, tenantId }: DbScope,
  endpointId: string,
  wanted: number,
): Promise<{ allowed: number; freeAt: Date | undefined }> {
  const [slot] = await db.query<{ allowed: number; freeAt: Date }>(reserveSql, [tenantId, endpointId, wanted]);
  return slot ?? { allowed: wanted, freeAt: undefined };
}
