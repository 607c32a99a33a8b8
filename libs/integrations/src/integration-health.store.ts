import { type Db, type DbScope, rowByKeySql } from '@eas/db';

/** What a receiver saw of an integration: a body that it signed, or one at its address that it did not sign. */
export type Sighting = {
  tenantId: string;
  id: string;
  receivedAt: Date | null;
  error: { at: Date; reason: string } | null;
};

// Locked in one order, so that two processes never wait for each other in a circle.
const sightingsSql = `
  WITH source AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS s (tenant_id text, id text, received_at timestamptz,
      error_at timestamptz, error_reason text)
  ), locked AS MATERIALIZED (
    SELECT s.*, l.is_silent AND s.received_at IS NOT NULL AS is_back
    FROM (SELECT * FROM source ORDER BY tenant_id, id) AS s
    ${rowByKeySql('l', {
      select: `i.status = 'degraded' AND i.status_reason = 'silent' AS is_silent`,
      from: 'integrations i',
      where: 'i.tenant_id = s.tenant_id AND i.id = s.id AND i.deleted_at IS NULL',
      lock: 'FOR NO KEY UPDATE',
    })}
  )
  UPDATE integrations i SET last_received_at = greatest(i.last_received_at, l.received_at),
    last_error_at = coalesce(l.error_at, i.last_error_at), last_error_reason = coalesce(l.error_reason, i.last_error_reason),
    status = CASE WHEN is_back THEN 'active' ELSE i.status END,
    status_reason = CASE WHEN is_back THEN NULL ELSE i.status_reason END,
    silence_check_at = CASE WHEN is_back THEN app_now() ELSE i.silence_check_at END,
    version = i.version + is_back::int
  FROM locked l WHERE i.id = ANY (ARRAY(SELECT id FROM locked)) AND i.tenant_id = l.tenant_id AND i.id = l.id
  RETURNING i.id, is_back AS "isBack"`;

/** Writes sightings, and makes silent integrations that are heard active again: gives their ids. */
export async function saveSightings(db: Db, sightings: readonly Sighting[]): Promise<string[]> {
  const source = sightings.map(({ tenantId, id, receivedAt, error }) => ({
    tenant_id: tenantId,
    id,
    received_at: receivedAt,
    error_at: error?.at ?? null,
    error_reason: error?.reason ?? null,
  }));
  const rows = await db.query<{ id: string; isBack: boolean }>(sightingsSql, [JSON.stringify(source)]);
  return rows.filter(({ isBack }) => isBack).map(({ id }) => id);
}

/** What became of receipts of an integration. */
export type ResultMark = { id: string; isApplied: boolean; errorReason: string | null };

// Usual results cost a write a second, however many there are.
const resultsSql = `
  WITH source AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS s (id text, is_applied boolean, error_reason text)
  ), locked AS MATERIALIZED (
    SELECT l.id FROM (SELECT * FROM source ORDER BY id) AS s
    ${rowByKeySql('l', {
      from: 'integrations i',
      where: `i.tenant_id = $1 AND i.id = s.id AND i.deleted_at IS NULL AND (s.error_reason IS NOT NULL
        OR s.is_applied AND coalesce(i.last_applied_at < app_now() - interval '1 second', true))`,
      lock: 'FOR NO KEY UPDATE',
    })}
  )
  UPDATE integrations i SET last_applied_at = CASE WHEN s.is_applied THEN app_now() ELSE i.last_applied_at END,
    last_error_at = CASE WHEN s.error_reason IS NULL THEN i.last_error_at ELSE app_now() END,
    last_error_reason = coalesce(s.error_reason, i.last_error_reason)
  FROM source s WHERE i.tenant_id = $1 AND i.id = ANY (ARRAY(SELECT id FROM locked)) AND s.id = i.id`;

export async function saveResults({ db, tenantId }: DbScope, marks: readonly ResultMark[]): Promise<void> {
  if (marks.length > 0) await db.query(resultsSql, [tenantId, JSON.stringify(marks.map(markRow))]);
}

const markRow = ({ id, isApplied, errorReason }: ResultMark) => ({
  id,
  is_applied: isApplied,
  error_reason: errorReason,
});

/** What a call to the other system came to; `denied`: it refused the token, in words. */
export type CallMark = { id: string; error: string | null; denied: string | null };

const deniedText = 'The platform refused the token: ';

const callErrorSql = `
  UPDATE integrations SET last_error_at = app_now(), last_error_reason = $3,
    status = CASE WHEN $4::text IS NOT NULL AND status = 'active' THEN 'degraded' ELSE status END,
    status_reason = CASE WHEN $4::text IS NOT NULL AND status = 'active' THEN $4 ELSE status_reason END,
    version = version + ($4::text IS NOT NULL AND status = 'active')::int
  WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`;

const callDoneSql = `
  UPDATE integrations SET status = 'active', status_reason = NULL, version = version + 1
  WHERE tenant_id = $1 AND id = $2 AND status = 'degraded' AND starts_with(status_reason, $3)`;

/** A refused token makes the integration degraded, and the next call that is accepted makes it active again. */
export async function saveCallMark({ db, tenantId }: DbScope, { id, error, denied }: CallMark): Promise<void> {
  if (error === null) return void (await db.query(callDoneSql, [tenantId, id, deniedText]));
  const reason = denied === null ? null : `${deniedText}${denied}`.slice(0, 1_000).toWellFormed();
  await db.query(callErrorSql, [tenantId, id, error, reason]);
}

/** Whether a token that was refused is why the integration is degraded. */
export const isTokenRefused = (statusReason: string | null): boolean => statusReason?.startsWith(deniedText) === true;

// What a token may not see looks like something that is not there.
const retrySql = `
  UPDATE platform_calls SET state = 'waiting', attempts = 0, due_at = app_now(), finished_at = NULL
  WHERE tenant_id = $1 AND integration_id = $2 AND kind = 'pull_request' AND state = 'failed'`;

const resumeSql = `
  UPDATE platform_apis SET paused_until = NULL, due_at = CASE WHEN $3 OR due_at IS NOT NULL THEN app_now() END
  WHERE tenant_id = $1 AND integration_id = $2`;

/** Has calls that wait made at once, and with a new token pull requests that failed as well. */
export async function resumeCalls(
  { db, tenantId }: DbScope,
  integrationId: string,
  token: string | null,
): Promise<void> {
  const hasToken = token !== null;
  // Before the calls, as all that adds some.
  await db.query(resumeSql, [tenantId, integrationId, hasToken]);
  if (hasToken) await db.query(retrySql, [tenantId, integrationId]);
}
