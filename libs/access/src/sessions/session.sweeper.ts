import { type Db, removeInBatches } from '@eas/db';

/**
 * Deletes sessions and links that expired, of all tenants. Gives how many. A session that is refused because it was not
 * used it for long stays until then: it is found without reading those that are used.
 */
export async function sweepSignIns(db: Db, signal?: AbortSignal): Promise<number> {
  const expired = { where: 'expires_at < app_now()', orderBy: 'expires_at', signal };
  const sessions = await removeInBatches(db, { table: 'sessions', ...expired });
  return sessions + (await removeInBatches(db, { table: 'access_links', ...expired }));
}
