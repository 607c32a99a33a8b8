import { type DbScope, rowByKeySql } from '@eas/db';
import type { TaskLink } from './task-link.ts';

type Key = Pick<TaskLink, 'integrationRef' | 'externalId'>;

/** A power of two. Postgres has one small table for all locks: a lock for each thing would fill it. */
const lockBuckets = 64;

const lockSql = `
  SELECT pg_advisory_xact_lock(hashtext($1), k.bucket) FROM (
    SELECT DISTINCT (hashtextextended(s.ref || ' ' || s.external, 0) & ${lockBuckets - 1})::int AS bucket
    FROM unnest($2::text[], $3::text[]) AS s (ref, external) ORDER BY bucket
  ) AS k`;

/**
 * Locks things of the platform until the transaction ends, kept already or not, in one order for everybody. Those of
 * the tenant that share a bucket are locked together.
 */
export async function lockPlatformThings({ db, tenantId }: DbScope, keys: readonly Key[]): Promise<void> {
  if (keys.length > 0) await db.query(lockSql, valuesOf(tenantId, keys));
}

const readSql = `
  SELECT l.integration_ref AS "integrationRef", l.external_id AS "externalId", l.task_id AS "taskId",
         l.platform_status AS "platformStatus", l.field_dates AS "fieldDates", l.details
  FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[]) AS s (ref, external)) AS s
  ${rowByKeySql('l', {
    from: 'task_links l',
    where: 'l.tenant_id = $1 AND l.integration_ref = s.ref AND l.external_id = s.external',
  })}`;

export async function readTaskLinks({ db, tenantId }: DbScope, keys: readonly Key[]): Promise<TaskLink[]> {
  return keys.length === 0 ? [] : db.query<TaskLink>(readSql, valuesOf(tenantId, keys));
}

const valuesOf = (tenantId: string, keys: readonly Key[]) => [
  tenantId,
  keys.map((key) => key.integrationRef),
  keys.map((key) => key.externalId),
];

const saveSql = `
  INSERT INTO task_links (tenant_id, integration_ref, external_id, task_id, platform_status, field_dates, details,
    created_at)
  SELECT $1, s."integrationRef", s."externalId", s."taskId", s."platformStatus", s."fieldDates", s.details, app_now()
  FROM json_to_recordset($2::json) AS s ("integrationRef" text, "externalId" text, "taskId" text, "platformStatus" text,
    "fieldDates" jsonb, details jsonb)
  ON CONFLICT (tenant_id, integration_ref, external_id)
  DO UPDATE SET platform_status = excluded.platform_status, field_dates = excluded.field_dates,
    details = excluded.details`;

/** Writes links that this transaction has locked. */
export async function saveTaskLinks({ db, tenantId }: DbScope, links: readonly TaskLink[]): Promise<void> {
  if (links.length > 0) await db.query(saveSql, [tenantId, JSON.stringify(links)]);
}
