import type { StoredEvent } from '@eas/contracts';
import type { DbScope } from '@eas/db';

/** What is summed up: columns of the roll-up, and fields of the events. */
export const usageSums = [
  'calls',
  'unpriced_calls',
  'estimated_calls',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost',
] as const;

/** Each call counts in its hour and day, for every group that it belongs to. An attempt is a lease. */
const addSql = `
  INSERT INTO analytics_usage AS u (tenant_id, dimension, grain, at, key, ${usageSums.join(', ')})
  SELECT $1, dimension, grain, date_trunc(grain, e.at, 'UTC'), key,
    ${usageSums.map((sum) => `sum(${sum})`).join(', ')}
  FROM json_to_recordset($2::json) AS e (at timestamptz, task_id text, lease_id text, run_id text, agent_id text, role text,
      project_id text, model text, ${usageSums.map((sum) => `${sum} bigint`).join(', ')}),
    LATERAL (VALUES ('all', ''), ('task', task_id), ('attempt', lease_id), ('run', run_id), ('agent', agent_id),
      ('role', role), ('project', project_id), ('model', model)) AS d (dimension, key),
    (VALUES ('hour'), ('day')) AS g (grain)
  WHERE key IS NOT NULL
  GROUP BY 2, 3, 4, 5 ORDER BY 2, 3, 4, 5
  ON CONFLICT (tenant_id, dimension, grain, at, key) DO UPDATE SET
    ${usageSums.map((sum) => `${sum} = u.${sum} + excluded.${sum}`).join(', ')}`;

/** Adds what calls used to the sums of their hours and days. */
export async function addUsage(
  { db, tenantId }: DbScope,
  events: readonly StoredEvent<'usage.recorded'>[],
): Promise<void> {
  const rows = events.map(({ occurredAt, data }) => ({ at: occurredAt, ...data }));
  await db.query(addSql, [tenantId, JSON.stringify(rows)]);
}
