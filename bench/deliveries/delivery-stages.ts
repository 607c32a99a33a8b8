import type { Db } from '@eas/db';

/** How long deliveries took from the event until they were fanned out, and from there until their first attempt. */
export type Stages = { fanOutP50: number; fanOutP99: number; sendP50: number; sendP99: number };

const stagesSql = `
  SELECT percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY 1000 * extract(epoch FROM d.created_at - e.occurred_at)) AS "fanOut",
    percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY 1000 * extract(epoch FROM a.started_at - d.created_at)) AS send
  FROM deliveries d
  JOIN events e ON e.tenant_id = d.tenant_id AND e.event_id = d.event_id
  JOIN attempts a ON a.tenant_id = d.tenant_id AND a.event_id = d.event_id AND a.endpoint_id = d.endpoint_id AND a.number = 1
  WHERE d.endpoint_id = $1 AND e.occurred_at >= $2`;

/** Of the events of an endpoint since a moment, in ms. */
export async function readStages(db: Db, endpointId: string, since: Date): Promise<Stages> {
  const [row] = await db.query<{ fanOut: number[] | null; send: number[] | null }>(stagesSql, [endpointId, since]);
  const [fanOutP50 = NaN, fanOutP99 = NaN] = row?.fanOut ?? [];
  const [sendP50 = NaN, sendP99 = NaN] = row?.send ?? [];
  return { fanOutP50, fanOutP99, sendP50, sendP99 };
}
