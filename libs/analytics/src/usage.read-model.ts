import type { SeriesInterval, UsageDimension } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { usageSums } from './usage.store.ts';

/** Sums as they are kept: `cost` in micro-USD. */
export type KeptSums = Record<(typeof usageSums)[number], number>;

const sums = usageSums.map((sum) => `sum(${sum})::float8 AS ${sum}`).join(', ');

type Range = { interval: SeriesInterval; first: Date; last: Date };
/** `dimension`: `all` for the total of all groups. */
type Part = Range & { dimension: UsageDimension | 'all'; key: string };

const seriesSql = `
  SELECT at, ${sums} FROM analytics_usage
  WHERE tenant_id = $1 AND dimension = $2 AND grain = $3 AND at BETWEEN $4 AND $5 AND key = $6 GROUP BY at`;

/** Hours or days in which there were calls, in no order. */
export function readUsageSeries(
  { db, tenantId }: DbScope,
  { dimension, interval, first, last, key }: Part,
): Promise<(KeptSums & { at: Date })[]> {
  return db.query(seriesSql, [tenantId, dimension, interval, first, last, key]);
}

const groupsSql = `
  SELECT key, ${sums} FROM analytics_usage
  WHERE tenant_id = $1 AND dimension = $2 AND grain = $3 AND at BETWEEN $4 AND $5 AND ($6::text IS NULL OR key = $6)
  GROUP BY key
  ORDER BY sum(cost) DESC, sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens) DESC, key
  LIMIT $7`;

const rowsSql = `
  SELECT at, key, ${sums} FROM analytics_usage
  WHERE tenant_id = $1 AND dimension = $2 AND grain = $3 AND at BETWEEN $4 AND $5 AND ($6::text IS NULL OR key = $6)
  GROUP BY at, key ORDER BY at, key LIMIT $7`;

/** Each group in each hour or day in which it had calls, in this order. */
export function readUsageRows(
  { db, tenantId }: DbScope,
  { dimension, interval, first, last, key, limit }: Groups,
): Promise<(KeptSums & { at: Date; key: string })[]> {
  return db.query(rowsSql, [tenantId, dimension, interval, first, last, key ?? null, limit]);
}

type Groups = Range & { dimension: UsageDimension; key: string | undefined; limit: number };

/** The most expensive groups. */
export function readUsageGroups(
  { db, tenantId }: DbScope,
  { dimension, interval, first, last, key, limit }: Groups,
): Promise<(KeptSums & { key: string })[]> {
  return db.query(groupsSql, [tenantId, dimension, interval, first, last, key ?? null, limit]);
}
