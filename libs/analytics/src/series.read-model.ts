import type { SeriesInterval } from '@eas/contracts';
import type { DbScope } from '@eas/db';

/** Of the hour or day that begins at `at`. */
export type Throughput = {
  at: Date;
  created: number;
  completed: number;
  late: number;
  failed: number;
  completionMs: number;
  completionCount: number;
};

const readSql = `
  SELECT at, sum(created) AS created, sum(completed) AS completed, sum(late) AS late, sum(failed) AS failed,
    sum(completion_ms)::bigint AS "completionMs", sum(completion_count) AS "completionCount"
  FROM analytics_throughput
  WHERE tenant_id = $1 AND grain = $2 AND at BETWEEN $3 AND $4 AND ($5::text IS NULL OR role = $5)
  GROUP BY at`;

export type ThroughputRange = { interval: SeriesInterval; first: Date; last: Date; role: string | undefined };

/** Hours or days from `first` to `last` in which something happened, in no order. */
export function readThroughput(
  { db, tenantId }: DbScope,
  { interval, first, last, role }: ThroughputRange,
): Promise<Throughput[]> {
  return db.query<Throughput>(readSql, [tenantId, interval, first, last, role ?? null]);
}
