import type { Db } from '@eas/db';

const keptDays = 90;
const removeSql = `
  DELETE FROM platform_reconciles WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM platform_reconciles WHERE finished_at < app_now() - interval '${keptDays} days'
    ORDER BY finished_at LIMIT 1000
  )) RETURNING 1`;

/** Removes reconciliations that ended long ago. Gives their number; more may be left when it is 1,000. */
export async function sweepOldReconciles(db: Db): Promise<number> {
  return (await db.query(removeSql)).length;
}
