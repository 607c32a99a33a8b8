import type { Db } from '../db.ts';

const createSql = `
  SELECT create_event_partitions((date_trunc('month', app_now() AT TIME ZONE 'UTC') + n * interval '1 month')::date)
  FROM generate_series(0, 2) AS n`;

/** Makes the partitions of events, deliveries and attempts for this month and the next two, where they are missing. */
export async function createEventPartitions(db: Db): Promise<void> {
  await db.query(createSql);
}
