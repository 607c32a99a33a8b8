import type { Db } from '@eas/db';

export type SilentIntegration = { tenantId: string; id: string; lastReceivedAt: Date | null };

/** Integrations that one sweep looks at; the others are due again at once. */
const batchRows = 200;

// Receipts do not move the moment of the check: it finds out when the last one was, and waits for the rest of the time.
const sweepSql = `
  WITH due AS MATERIALIZED (
    SELECT tenant_id, id, greatest(last_received_at, updated_at) AS heard_at,
      CASE WHEN status <> 'disconnected' AND deleted_at IS NULL
        THEN (config ->> 'silence_alarm_hours')::int * interval '1 hour' END AS allowed
    FROM integrations WHERE silence_check_at <= app_now()
    ORDER BY silence_check_at LIMIT ${batchRows} FOR NO KEY UPDATE SKIP LOCKED
  ), judged AS (
    SELECT d.*, coalesce(heard_at + allowed <= app_now(), false) AS is_silent FROM due d
  )
  UPDATE integrations i SET
    silence_check_at = CASE WHEN is_silent AND i.status = 'active' THEN NULL
      WHEN is_silent THEN app_now() + allowed ELSE heard_at + allowed END,
    status = CASE WHEN is_silent AND i.status = 'active' THEN 'degraded' ELSE i.status END,
    status_reason = CASE WHEN is_silent AND i.status = 'active' THEN 'silent' ELSE i.status_reason END,
    version = i.version + (is_silent AND i.status = 'active')::int
  FROM judged j WHERE i.id = ANY (ARRAY(SELECT id FROM due)) AND i.tenant_id = j.tenant_id AND i.id = j.id
  RETURNING i.tenant_id AS "tenantId", i.id, i.last_received_at AS "lastReceivedAt",
    i.status_reason = 'silent' AND i.silence_check_at IS NULL AND is_silent AS "isNew"`;

/** Marks integrations as degraded that received nothing for as long as their alarm says, and gives them. */
export async function sweepSilence(db: Db): Promise<SilentIntegration[]> {
  const rows = await db.query<SilentIntegration & { isNew: boolean | null }>(sweepSql);
  return rows.filter(({ isNew }) => isNew === true);
}
