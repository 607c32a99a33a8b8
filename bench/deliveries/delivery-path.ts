import { defaultTenantId, maxDeliveriesPerJob } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Db, UseCaseContext } from '@eas/db';
import type { Send } from '@eas/outbound';
import {
  deadLetterHeld,
  drainHeld,
  fanOut,
  readDeliveryBacklog,
  sendDeliveries,
  sweepDueDeliveries,
  sweepProbes,
} from '@eas/webhooks';
import type { PathEndpoints } from './path-endpoints.ts';

/** `most`: rows that each of its statements may read whatever there is, where it stops at a number of its own. */
export type PathStep = { name: string; run(ctx: UseCaseContext, db: Db): Promise<unknown>; most?: number };

const respond =
  (status: number): Send =>
  () =>
    Promise.resolve({ kind: 'response', status, headers: {}, body: Buffer.alloc(0), durationMs: 1 });

const eventsSql = `
  INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
  SELECT $1, id, 'task.created', app_now(), json_build_object('task_id', 'tsk_of_' || id) FROM unnest($2::text[]) AS id`;
const deliveriesSql = `
  INSERT INTO deliveries (tenant_id, event_id, endpoint_id, id, status, next_attempt_at, queued_until, created_at, reason, task_id)
  SELECT $1, id, $3, 'dlv_' || substr(id, 5), 'pending', app_now(), app_now() + interval '15 seconds', app_now(), $4, $5
  FROM unnest($2::text[]) AS id`;
const oldestSql = `
  SELECT event_id AS id FROM deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending'
  ORDER BY next_attempt_at LIMIT ${maxDeliveriesPerJob}`;
/** The first of each task: what waited for those before it goes out now. */
const firstOfTasksSql = `
  UPDATE deliveries d SET next_attempt_at = app_now(), reason = NULL
  WHERE d.tenant_id = $1 AND d.endpoint_id = $2 AND d.event_id IN (
    SELECT DISTINCT ON (task_id) event_id FROM deliveries
    WHERE tenant_id = $1 AND endpoint_id = $2 AND task_id LIKE 'tsk_%' AND status = 'pending'
    ORDER BY task_id, event_id LIMIT ${maxDeliveriesPerJob})
  RETURNING d.event_id AS id`;

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function addEvents(db: Db): Promise<string[]> {
  const eventIds = Array.from({ length: maxDeliveriesPerJob }, () => newId('event'));
  await db.query(eventsSql, [defaultTenantId, eventIds]);
  return eventIds;
}

async function addDue(
  db: Db,
  endpointId: string,
  { reason = null as string | null, taskId = null as string | null } = {},
) {
  const eventIds = await addEvents(db);
  await db.query(deliveriesSql, [defaultTenantId, eventIds, endpointId, reason, taskId]);
  return eventIds;
}

const oldest = async (db: Db, endpointId: string) => ids(await db.query(oldestSql, [defaultTenantId, endpointId]));
const firstOfTasks = async (db: Db, endpointId: string) =>
  ids(await db.query(firstOfTasksSql, [defaultTenantId, endpointId]));

/** All statements by which a delivery is made, sent and settled, run by the use cases that the dispatcher calls. */
export function deliveryPath(endpoints: PathEndpoints): PathStep[] {
  const send = async (ctx: UseCaseContext, endpointId: string, eventIds: readonly string[], status = 200) => {
    const job = { tenant_id: defaultTenantId, endpoint_id: endpointId, event_ids: [...eventIds] };
    await sendDeliveries(ctx, job, { send: respond(status), retry: { scheduleMs: [5_000] } });
  };
  const { backlog, quiet, ordered, paused, capped, disabled } = endpoints;
  return [
    {
      name: 'fan out',
      async run(ctx, db) {
        const eventIds = await addEvents(db);
        await fanOut(
          ctx,
          eventIds.map((eventId) => ({ eventId, type: 'task.created' as const })),
        );
      },
    },
    { name: 'send the oldest of a backlog', run: async (ctx, db) => send(ctx, backlog, await oldest(db, backlog)) },
    {
      name: 'send what is new next to a backlog',
      run: async (ctx, db) => send(ctx, backlog, await addDue(db, backlog)),
    },
    { name: 'send where nothing waits', run: async (ctx, db) => send(ctx, quiet, await addDue(db, quiet)) },
    { name: 'fail', run: async (ctx, db) => send(ctx, backlog, await oldest(db, backlog), 503) },
    {
      name: 'release',
      run: async (ctx, db) => send({ ...ctx, signal: AbortSignal.abort() }, backlog, await oldest(db, backlog)),
    },
    {
      name: 'send the first of each task',
      run: async (ctx, db) => send(ctx, ordered, await firstOfTasks(db, ordered)),
    },
    {
      name: 'put behind others of the task',
      run: async (ctx, db) => send(ctx, ordered, await addDue(db, ordered, { taskId: 'tsk_7' })),
    },
    { name: 'hold', run: async (ctx, db) => send(ctx, paused, await addDue(db, paused)) },
    {
      name: 'probe and recover',
      run: async (ctx, db) => send(ctx, paused, await addDue(db, paused, { reason: 'probe' })),
    },
    { name: 'postpone', run: async (ctx, db) => send(ctx, capped, await addDue(db, capped)) },
    { name: 'end at a disabled endpoint', run: async (ctx, db) => send(ctx, disabled, await addDue(db, disabled)) },
    { name: 'sweep of what is due', run: (ctx) => ctx.inTransaction(sweepDueDeliveries) },
    { name: 'sweep of probes', run: (ctx) => ctx.inTransaction(sweepProbes) },
    { name: 'drain of what is held', run: (ctx, db) => enable(db, paused).then(() => ctx.inTransaction(drainHeld)) },
    {
      name: 'end of what is held',
      run: (ctx, db) => disable(db, paused).then(() => ctx.inTransaction(deadLetterHeld)),
    },
    { name: 'metrics', run: (ctx) => ctx.inTransaction(readDeliveryBacklog), most: 20_100 },
  ];
}

const enable = (db: Db, endpointId: string) => setStatus(db, endpointId, 'active');
const disable = (db: Db, endpointId: string) => setStatus(db, endpointId, 'disabled');

async function setStatus(db: Db, endpointId: string, status: string): Promise<void> {
  await db.query('UPDATE endpoints SET status = $3, probe_at = NULL WHERE tenant_id = $1 AND id = $2', [
    defaultTenantId,
    endpointId,
    status,
  ]);
}
