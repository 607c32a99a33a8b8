import { type Db, inIndexOrderSql } from '@eas/db';

/** The recount of one tenant, as far as it has come. */
export type Recount = {
  tenantId: string;
  /** The last task that is counted, "" before the first. */
  position: string;
  /** The first day that is not compared yet (YYYY-MM-DD); null: none is compared. */
  day: string | null;
};

const findSql = `SELECT tenant_id AS "tenantId", position, to_char(day, 'YYYY-MM-DD') AS day FROM analytics_recounts LIMIT 1`;
const tenantAfterSql = `SELECT tenant_id AS "tenantId" FROM analytics_task_view WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1`;

/** The recount to go on with, or that of the first tenant. Undefined: there is no task. */
export async function findRecount(db: Db): Promise<Recount | undefined> {
  await db.query(inIndexOrderSql);
  const [recount] = await db.query<Recount>(findSql);
  return recount ?? recountAfter(db, '');
}

/** The recount of the next tenant that has tasks. Undefined: it was the last. */
export async function recountAfter(db: Db, tenantId: string): Promise<Recount | undefined> {
  const [next] = await db.query<Pick<Recount, 'tenantId'>>(tenantAfterSql, [tenantId]);
  return next && { ...next, position: '', day: null };
}

const saveSql = `
  WITH others AS (DELETE FROM analytics_recounts WHERE tenant_id <> $1)
  INSERT INTO analytics_recounts (tenant_id, position, day) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id) DO UPDATE SET position = excluded.position, day = excluded.day`;
const removeSql = 'DELETE FROM analytics_recounts';

/** Stores how far it has come: one tenant at a time. Undefined: the next one begins with the first tenant. */
export async function saveRecount(db: Db, recount: Recount | undefined): Promise<void> {
  if (recount) await db.query(saveSql, [recount.tenantId, recount.position, recount.day]);
  else await db.query(removeSql);
}
