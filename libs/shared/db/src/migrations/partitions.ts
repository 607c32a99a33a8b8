import type { Db } from '../connection/db.ts';

/** A new partition locks its parent: waiting for that lock would hold up every write of an event. */
const createSql = `
  WITH bounded AS MATERIALIZED (SELECT set_config('lock_timeout', '1s', true))
  SELECT create_event_partitions((date_trunc('month', app_now() AT TIME ZONE 'UTC') + n * interval '1 month')::date)
  FROM bounded, generate_series(0, 2) AS n`;

/** For this month and the next two. Throws when the tables are not free for 1 s; the next call tries again. */
export async function createEventPartitions(db: Db): Promise<void> {
  await db.query(createSql);
}
