import { type DbScope, handledBeforeSql, lastNumberBeforeSql } from '@eas/db';
import { firstIdSql, monthEndSql, monthStartSql } from './usage-count.store.ts';
import { usageColumnsSql, type UsageRow } from './usage-row.ts';

/** Figures that are sums of roll-ups: they can go down. */
const summed = [
  'tasks_created',
  'tasks_completed',
  'model_calls',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost',
] as const;
/** Figures of rows that are removed after some time: they never go down. */
const counted = ['runs', 'events', 'deliveries', 'delivered', 'attempts', 'inbound_events'] as const;
const figures = [...summed, ...counted];

const ofSource = (column: string, source: string) => `coalesce(max(${column}) FILTER (WHERE source = '${source}'), 0)`;
const [startId, endId] = [firstIdSql('evt_', monthStartSql), firstIdSql('evt_', monthEndSql)];
const inMonth = `at >= ${monthStartSql} AND at < ${monthEndSql}`;
const sumOf = (column: string) => `greatest(coalesce(sum(${column}), 0), 0)`;

const measuredSql = `
  SELECT * FROM (
    SELECT ${sumOf('created')} AS tasks_created, ${sumOf('completed')} AS tasks_completed FROM analytics_throughput
    WHERE tenant_id = $1 AND grain = 'day' AND ${inMonth}
  ) AS tasks, (
    SELECT ${sumOf('calls')} AS model_calls, ${summed
      .slice(3)
      .map((sum) => `${sumOf(sum)} AS ${sum}`)
      .join(', ')}
    FROM analytics_usage WHERE tenant_id = $1 AND dimension = 'all' AND grain = 'day' AND key = '' AND ${inMonth}
  ) AS models, (
    SELECT ${ofSource('counted', 'runs')} AS runs, ${ofSource('counted', 'deliveries')} AS deliveries,
      ${ofSource('delivered', 'deliveries')} AS delivered, ${ofSource('attempts', 'deliveries')} AS attempts,
      ${ofSource('counted', 'inbound_events')} AS inbound_events
    FROM tenant_usage_counts WHERE tenant_id = $1 AND month = $2
  ) AS rows, (
    SELECT greatest(0, ${lastNumberBeforeSql(endId)} - ${lastNumberBeforeSql(startId)}) AS events
  ) AS numbers`;

const isCounted = (name: string) => (counted as readonly string[]).includes(name);
const after = figures.map((name) =>
  isCounted(name) ? `greatest(known.${name}, measured.${name})` : `measured.${name}`,
);

// What has not changed is left out: also a row that is only locked would be written.
const measureSql = `
  INSERT INTO tenant_usage AS u (tenant_id, month, ${figures.join(', ')})
  SELECT $1, $2, ${after.join(', ')}
  FROM (${measuredSql}) AS measured
  LEFT JOIN tenant_usage known ON known.tenant_id = $1 AND known.month = $2
  WHERE EXISTS (SELECT FROM analytics_tenants WHERE tenant_id = $1) AND (${figures.map((name) => `known.${name}`).join(', ')}) IS DISTINCT FROM (${after.join(', ')})
  ON CONFLICT (tenant_id, month) DO UPDATE SET ${figures.map((name) => `${name} = excluded.${name}`).join(', ')},
    updated_at = app_now()
  WHERE u.closed_at IS NULL`;

/** Takes the figures of an open month from roll-ups, numbers of events and counted rows. */
export async function measureUsage({ db, tenantId }: DbScope, month: string): Promise<void> {
  await db.query(measureSql, [tenantId, month]);
}

/** What adds to roll-ups or makes deliveries. */
const consumers = ['facts.follow', 'facts.record', 'usage.record', 'fan_out.follow', 'event.fan_out'] as const;
const handledSql = `SELECT ${handledBeforeSql(endId, consumers)} AS "isHandled"`;

/** Whether all events of the month are handled by what counts them, except those that it gave up on. */
export async function isMonthHandled({ db, tenantId }: DbScope, month: string): Promise<boolean> {
  const [row] = await db.query<{ isHandled: boolean }>(handledSql, [tenantId, month]);
  return row?.isHandled ?? false;
}

const closeSql = `
  WITH gone AS (
    DELETE FROM tenant_usage_counts WHERE tenant_id = $1 AND month = $2
  )
  UPDATE tenant_usage u SET closed_at = app_now() FROM analytics_tenants t
  WHERE u.tenant_id = $1 AND month = $2 AND closed_at IS NULL AND t.tenant_id = $1
  RETURNING t.slug, t.name, ${usageColumnsSql}`;

/** Closes a month and returns it. Undefined: another process was faster. */
export async function closeUsage({ db, tenantId }: DbScope, month: string): Promise<ClosedUsage | undefined> {
  const [usage] = await db.query<ClosedUsage>(closeSql, [tenantId, month]);
  return usage;
}

type ClosedUsage = UsageRow & { slug: string; name: string; closedAt: Date };
