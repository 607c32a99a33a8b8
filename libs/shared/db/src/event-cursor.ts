import type { Consumer } from '@eas/contracts';
import type { Tx } from './transactions/tx.ts';

const addSql = `
  INSERT INTO event_cursors (tenant_id, consumer, number)
  SELECT $1, $2, 0 WHERE NOT EXISTS (SELECT FROM event_cursors WHERE tenant_id = $1 AND consumer = $2)
  ON CONFLICT DO NOTHING`;
const lockSql = `
  SELECT number::float8 AS number FROM event_cursors WHERE tenant_id = $1 AND consumer = $2 FOR UPDATE SKIP LOCKED`;

/**
 * Locks the number up to which a consumer has read the public events of the tenant; at first it is 0. Undefined: another
 * transaction has locked it.
 */
export async function lockEventCursor({ db, tenantId }: Tx, consumer: Consumer): Promise<number | undefined> {
  await db.query(addSql, [tenantId, consumer]);
  const [cursor] = await db.query<{ number: number }>(lockSql, [tenantId, consumer]);
  return cursor?.number;
}

const moveSql = 'UPDATE event_cursors SET number = $3 WHERE tenant_id = $1 AND consumer = $2';

/** In the transaction of the effect: what has been read is not read again. */
export async function moveEventCursor({ db, tenantId }: Tx, consumer: Consumer, number: number): Promise<void> {
  await db.query(moveSql, [tenantId, consumer, number]);
}
