import { type Db, removeInBatches } from '@eas/db';

/**
 * Deletes expired sessions and links of all tenants. Returns how many. A session that is refused because it was idle
 * stays until then, so that expired ones are found without reading active ones.
 */
export async function sweepSignIns(db: Db, signal?: AbortSignal): Promise<number> {
  const expired = { where: 'expires_at < app_now()', orderBy: 'expires_at', signal };
  const sessions = await removeInBatches(db, { table: 'sessions', ...expired });
  return sessions + (await removeInBatches(db, { table: 'access_links', ...expired }));
}
