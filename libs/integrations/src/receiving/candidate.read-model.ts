import type { Db } from '@eas/db';

/** An integration that may have signed a body. The tenant is known only once its secret verifies. */
export type CandidateRow = { key: string | null; tenantId: string; id: string; secret: string };

/** At most that many integrations are tried on one body. */
export const maxCandidates = 20;

const candidateColumns = `i.tenant_id AS "tenantId", i.id, i.secret`;
const usable = `i.status = 'active' AND i.deleted_at IS NULL AND i.secret IS NOT NULL`;

const platformSql = `
  SELECT k.key, c.* FROM unnest($1::text[]) AS k (key), LATERAL (
    SELECT ${candidateColumns} FROM integrations i
    WHERE i.type = 'taskplatform' AND ${usable}
      AND (k.key IS NULL OR i.webhook_id = k.key OR i.webhook_id IS NULL)
    ORDER BY i.webhook_id NULLS LAST, i.connected_at, i.id LIMIT ${maxCandidates}
  ) AS c`;

/**
 * Of every tenant: integrations of the task platform for each webhook id, those without one last. A null key asks for
 * all of them.
 */
export function findPlatformCandidates({ db }: { db: Db }, keys: readonly (string | null)[]): Promise<CandidateRow[]> {
  return db.query<CandidateRow>(platformSql, [keys]);
}

const sourceHostSql = `
  SELECT k.key, c.* FROM unnest($1::text[]) AS k (key), LATERAL (
    SELECT ${candidateColumns} FROM integrations i
    WHERE i.type = 'github' AND ${usable} AND lower(i.config ->> 'org_name') = k.key
    ORDER BY i.connected_at, i.id LIMIT ${maxCandidates}
  ) AS c`;

/** Of every tenant: integrations of the source host for each owner, in lower case. */
export function findSourceHostCandidates(
  { db }: { db: Db },
  keys: readonly (string | null)[],
): Promise<CandidateRow[]> {
  return db.query<CandidateRow>(sourceHostSql, [keys]);
}
