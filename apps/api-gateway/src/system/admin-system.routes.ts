import { recordAudit, requireOperator } from '@eas/access';
import {
  type DeadEvent,
  deadEventList,
  deadEventQuery,
  maxLoudTenants,
  retriedDeadEvents,
  retryDeadEventsBody,
  type SystemState,
  systemState,
} from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import { readDatabaseVersions, readLoudest, type UseCaseContext } from '@eas/db';
import { defineRoute, type Route } from '@eas/http';
import { type DeadEventRow, listDeadEvents, type QueuesOnUse, readOutboxState, retryDead } from '@eas/queue';
import { forOperators } from './for-operators.ts';
import { readPosition, writePosition } from './position.ts';
import type { ShownSetting } from './shown-settings.ts';

export type SystemFacts = {
  /** Of this service. */
  version: string;
  startedAt: Date;
  queueStore: 'postgres' | 'redis';
  settings: readonly ShownSetting[];
  queues: QueuesOnUse;
};

const common = { tags: ['Administration'], access: { scope: 'admin' } } as const;

export const adminSystemRoutes = (facts: SystemFacts): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/api/system',
    operationId: 'getSystem',
    summary: 'Get the state of the installation',
    description: [
      'Returns versions, what consumers still owe, the depth of the queues, the tenants that caused most work in the last hour, and the settings of the gateway that responds, without secrets. Use it to find out why something is late.',
      forOperators,
    ],
    responses: { 200: { description: 'The state.', schema: systemState } },
    errors: ['forbidden'],
    handler: async (ctx, { principal }) => {
      requireOperator(principal);
      return { status: 200, body: await readState(ctx, facts) };
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/api/system/dead-events',
    operationId: 'listDeadEvents',
    summary: 'List dead events',
    description: [
      'Returns a page of the events that a consumer could not process, of all tenants, with the last error. Use it to find out what failed, and retry it when the cause is removed.',
      'Only for the operator: others get 403. Dead deliveries of webhooks are not among them.',
    ],
    query: deadEventQuery,
    responses: { 200: { description: 'A page of dead events, the latest first.', schema: deadEventList } },
    errors: ['forbidden', 'invalid_request'],
    handler: async (ctx, { principal, query: { limit = 20, after = '' } }) => {
      requireOperator(principal);
      const position = after === '' ? undefined : readPosition(after);
      const rows = await ctx.inTransaction((tx) => listDeadEvents(tx.db, { limit: limit + 1, after: position }));
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const pagination = { limit, has_more: last !== undefined, next_cursor: last ? writePosition(last) : null };
      return { status: 200, body: { data: shown.map(deadEventOf), pagination } };
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/api/system/dead-events/retry',
    operationId: 'retryDeadEvents',
    summary: 'Retry dead events',
    description: [
      'Lets consumers process dead events again, at once and with ten attempts: the named ones, or the oldest. Use it when the cause of their failures is removed.',
      'Only for the operator: others get 403. The retry is in the audit log. Received webhooks that were given up are applied again by a replay.',
    ],
    body: retryDeadEventsBody,
    responses: { 200: { description: 'What was done.', schema: retriedDeadEvents } },
    errors: ['forbidden', 'invalid_input'],
    handler: async (ctx, { principal, body: { events } }) => {
      requireOperator(principal);
      const keys = events?.map((one) => ({ tenantId: one.tenant_id, eventId: one.event_id, consumer: one.consumer }));
      const { retried, hasMore } = await retryDead(ctx, keys, (tx, entry) => recordAudit(tx, ctx.actor, entry));
      return { status: 200, body: { retried, has_more: hasMore } };
    },
  }),
];

async function readState(ctx: UseCaseContext, { version, startedAt, queueStore, settings, queues }: SystemFacts) {
  const [database, outbox, depths, loudest] = await Promise.all([
    readDatabaseVersions(ctx.db),
    ctx.inTransaction((tx) => readOutboxState(tx.db)),
    readDepths(ctx, queues),
    readLoudestTenants(ctx),
  ]);
  return {
    versions: { service: version, node: process.versions.node, ...database, queue_store: queueStore },
    started_at: formatTimestamp(startedAt),
    outbox: {
      unsent_seconds: Math.max(0, outbox.unsentSeconds),
      unconsumed_seconds: Math.max(0, outbox.sentSeconds),
      dead: outbox.dead,
    },
    queues: depths && Object.entries(depths).map(([name, depth]) => ({ name, ...depth })),
    loudest_tenants: loudest,
    settings,
  };
}

const hourMs = 3_600_000;

async function readLoudestTenants({ db, clock }: UseCaseContext): Promise<SystemState['loudest_tenants']> {
  const to = clock.now();
  const { tenants } = await readLoudest(db, { from: new Date(to.getTime() - hourMs), to, limit: maxLoudTenants });
  return tenants.map(({ tenantId, databaseMs, received, attempts, ...load }) => ({
    tenant_id: tenantId,
    ...load,
    database_ms: databaseMs,
    received_webhooks: received,
    delivery_attempts: attempts,
  }));
}

/** The state is shown without the queues while their store is down: that is when operators need it. */
async function readDepths({ logger }: UseCaseContext, queues: QueuesOnUse) {
  try {
    return await (await queues.open()).depths();
  } catch (error) {
    if (!(error instanceof AppError)) logger.warn({ err: error }, 'queue depths not read');
    return null;
  }
}

const deadEventOf = (row: DeadEventRow): DeadEvent => ({
  tenant_id: row.tenantId,
  event_id: row.eventId,
  consumer: row.consumer,
  event_type: row.eventType,
  attempts: row.attempts,
  last_error: row.lastError,
  dead_at: formatTimestamp(row.deadAt),
});
