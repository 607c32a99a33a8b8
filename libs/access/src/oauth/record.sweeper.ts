import { type Db, removeInBatches } from '@eas/db';

const unusedSql = `
  registered_at < app_now() - interval '1 day'
  AND NOT EXISTS (SELECT FROM oauth_records r WHERE r.tenant_id = oauth_clients.tenant_id AND r.client_id = oauth_clients.id)`;

/** Deletes expired records of all tenants, and self-registered programs without any grant. Returns how many. */
export async function sweepOauthRecords(db: Db, signal?: AbortSignal): Promise<number> {
  const expired = { where: 'expires_at < app_now()', orderBy: 'expires_at', signal };
  const records = await removeInBatches(db, { table: 'oauth_records', ...expired });
  const waiting = await removeInBatches(db, { table: 'oauth_registrations', ...expired });
  const unused = { where: unusedSql, orderBy: 'registered_at', signal };
  return records + waiting + (await removeInBatches(db, { table: 'oauth_clients', ...unused }));
}
