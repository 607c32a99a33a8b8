import type { IntegrationType } from '@eas/contracts';
import { type Db, firstRowsSql } from '@eas/db';
import { candidateShares } from './candidate-shares.ts';

/** An integration that may have signed a body. The tenant is known only once its secret verifies. */
export type CandidateRow = {
  key: string;
  tenantId: string;
  id: string;
  secret: string;
  /** The one before, while it is valid. */
  previousSecret: string | null;
};

type Find = (scope: { db: Db }, keys: readonly string[]) => Promise<CandidateRow[]>;

const { maxTenants, maxOfTenant } = candidateShares;
const present = `i.status <> 'disconnected' AND i.deleted_at IS NULL`;

/** What may sign, and with which secrets: webhooks, and the clicks of a chat. */
const signers = {
  usable: `${present} AND i.secret IS NOT NULL`,
  secrets: `i.secret, CASE WHEN i.previous_secret_until > app_now() THEN i.previous_secret END AS "previousSecret"`,
};
const chatSigners = {
  usable: `${present} AND i.signing_secret IS NOT NULL`,
  secrets: `i.signing_secret AS secret, NULL AS "previousSecret"`,
};

/**
 * For each key the oldest integrations that match it, a few of each of the first tenants. It goes through an index from
 * tenant to tenant, so it reads no more than it gives.
 */
function findByTenants(matches: (key: string) => string, { usable, secrets } = signers): Find {
  const nextTenant = (key: string, after: string) => `(
    SELECT i.tenant_id FROM integrations i WHERE ${matches(key)} AND ${usable} ${after} ORDER BY i.tenant_id LIMIT 1)`;
  const sql = `
    WITH RECURSIVE tenants (key, tenant_id, position) AS (
      SELECT k.key, ${nextTenant('k.key', '')}, 1 FROM unnest($1::text[]) AS k (key)
      UNION ALL
      SELECT t.key, ${nextTenant('t.key', 'AND i.tenant_id > t.tenant_id')}, t.position + 1
      FROM tenants t WHERE t.tenant_id IS NOT NULL AND t.position < ${maxTenants}
    )
    SELECT t.key, c.* FROM tenants t
    ${firstRowsSql('c', {
      select: `i.tenant_id AS "tenantId", i.id, ${secrets}`,
      from: 'integrations i',
      where: `${matches('t.key')} AND ${usable} AND i.tenant_id = t.tenant_id`,
      orderBy: 'i.connected_at, i.id',
      limit: maxOfTenant,
    })} ORDER BY t.key, t.position`;
  return ({ db }, keys) => db.query<CandidateRow>(sql, [keys]);
}

const isPlatform = `i.type = 'taskplatform'`;

export const findByWebhookId = findByTenants((key) => `${isPlatform} AND i.webhook_id = ${key}`);

/** Integrations of the task platform that name no webhook. They match any key. */
export const findWithoutWebhookId = findByTenants(() => `${isPlatform} AND i.webhook_id IS NULL`);

export const findOfPlatform = findByTenants(() => isPlatform);

/** Integrations of the source host by owner, in lower case. */
export const findByOwner = findByTenants((key) => `i.type = 'github' AND lower(i.config ->> 'org_name') = ${key}`);

/** Chat workspaces that sign clicks. They match any key. */
export const findOfChat = findByTenants(() => `i.type = 'slack'`, chatSigners);

/** The integration whose own address a body came to, or that a click names: keys are ids. */
export function findOfAddress(type: IntegrationType): Find {
  const { usable, secrets } = type === 'slack' ? chatSigners : signers;
  const sql = `
    SELECT i.id AS key, i.tenant_id AS "tenantId", i.id, ${secrets} FROM integrations i
    WHERE i.id = ANY ($1) AND i.type = '${type}' AND ${usable}`;
  return ({ db }, keys) => db.query<CandidateRow>(sql, [keys]);
}
