import { type Db, inIndexOrderSql } from '@eas/db';

/** The recount of one tenant, as far as it has come. */
export type Recount = {
  tenantId: string;
  /** The last task that is counted, "" before the first. */
  position: string;
  /** The first day that is not compared yet (YYYY-MM-DD); null: none is compared. */
  day: string | null;
  /** It corrects what differs. */
  corrects: boolean;
};

const findSql = `
  SELECT tenant_id AS "tenantId", position, to_char(day, 'YYYY-MM-DD') AS day, corrects
  FROM analytics_recounts ORDER BY corrects DESC, tenant_id LIMIT 1`;
const tenantAfterSql = `SELECT tenant_id AS "tenantId" FROM analytics_task_view WHERE tenant_id > $1 ORDER BY tenant_id LIMIT 1`;

/** The recount to go on with, rebuilds first, or that of the first tenant. Undefined: there is no task. */
export async function findRecount(db: Db): Promise<Recount | undefined> {
  await db.query(inIndexOrderSql);
  const [recount] = await db.query<Recount>(findSql);
  return recount ?? recountAfter(db, '');
}

/** The recount of the next tenant that has tasks. Undefined: it was the last. */
export async function recountAfter(db: Db, tenantId: string): Promise<Recount | undefined> {
  const [next] = await db.query<Pick<Recount, 'tenantId'>>(tenantAfterSql, [tenantId]);
  return next && { ...next, position: '', day: null, corrects: false };
}

const saveSql = `
  INSERT INTO analytics_recounts AS c (tenant_id, position, day) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id) DO UPDATE SET position = excluded.position, day = excluded.day WHERE c.corrects = $4`;
const endSql = 'DELETE FROM analytics_recounts WHERE tenant_id = $1 AND corrects = $2';

/** Stores how far it has come, unless a rebuild was started in the meantime. */
export async function saveRecount(db: Db, { tenantId, position, day, corrects }: Recount): Promise<void> {
  await db.query(saveSql, [tenantId, position, day, corrects]);
}

export async function endRecount(db: Db, { tenantId, corrects }: Recount): Promise<void> {
  await db.query(endSql, [tenantId, corrects]);
}

const startSql = `
  INSERT INTO analytics_recounts AS c (tenant_id, corrects)
  SELECT id, true FROM tenants WHERE removed_at IS NULL AND ($1::text IS NULL OR id = $1)
  ON CONFLICT (tenant_id) DO UPDATE SET corrects = true, position = '', day = NULL WHERE NOT c.corrects`;

/** Starts the rebuild of one tenant or of all. One that has been started goes on where it is. */
export async function startRebuilds(db: Db, tenantId: string | null): Promise<void> {
  await db.query(startSql, [tenantId]);
}

const countSql =
  'SELECT count(*) AS rebuilds FROM analytics_recounts WHERE corrects AND ($1::text IS NULL OR tenant_id = $1)';

/** How many rebuilds are not done, of one tenant or of all. */
export async function countRebuilds(db: Db, tenantId: string | null): Promise<number> {
  const [row] = await db.query<{ rebuilds: number }>(countSql, [tenantId]);
  return row?.rebuilds ?? 0;
}

const cancelSql =
  'DELETE FROM analytics_recounts WHERE corrects AND ($1::text IS NULL OR tenant_id = $1) RETURNING tenant_id';

/** Ends rebuilds where they are. Returns how many. */
export async function cancelRebuilds(db: Db, tenantId: string | null): Promise<number> {
  return (await db.query(cancelSql, [tenantId])).length;
}
