import { append, type UseCaseContext } from '@eas/db';
import type { QueueWorker, WorkerOptions } from './worker.ts';
import { consumeEvents, type EventHandler } from './handlers.ts';
import type { OpenQueues } from '../backends/open-queues.ts';
import { startWorker } from './worker.ts';

/** Handlers of these specs insert a row each time that an event has an effect. */
export async function createEffects({ db }: UseCaseContext): Promise<void> {
  await db.query('CREATE TABLE IF NOT EXISTS effects (event_id text NOT NULL, receipt text NOT NULL)');
}

/** Appends internal events, all in one transaction; `receipts` are their only data. Returns their ids. */
export function appendReceipts(ctx: UseCaseContext, receipts: readonly string[]): Promise<string[]> {
  return ctx.inTransaction(async (tx) =>
    receipts.map((receipt) =>
      append(tx, {
        type: 'inbound.received',
        at: ctx.clock.now(),
        data: { inbound_event_id: receipt },
        facts: null,
      }),
    ),
  );
}

/** Appends public events, all in one transaction. Returns their ids. */
export function appendPullRequests(ctx: UseCaseContext, count: number): Promise<string[]> {
  return ctx.inTransaction(async (tx) =>
    Array.from({ length: count }, (_, index) =>
      append(tx, {
        type: 'pr.opened',
        at: ctx.clock.now(),
        data: {
          repository: 'a/b',
          number: index + 1,
          title: 't',
          url: 'https://x.test',
          author: 'a',
          branch: 'b',
          task_id: null,
        },
        facts: null,
      }),
    ),
  );
}

/** Records the effect of each event, then fails if one of them is bad. */
export const recordEffects: EventHandler = async (ctx, events) => {
  for (const event of events) {
    const receipt = event.type === 'inbound.received' ? event.data.inbound_event_id : event.type;
    await ctx.db.query('INSERT INTO effects VALUES ($1, $2)', [event.eventId, receipt]);
    if (receipt.startsWith('bad')) throw new Error(`cannot apply ${receipt}`);
  }
};

/** How often each event had an effect. */
export async function effectCounts({ db }: UseCaseContext): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; count: number }>(
    'SELECT event_id AS id, count(*) AS count FROM effects GROUP BY event_id',
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** A worker of the queue `workflow` that applies inbound events with `handle`. */
export function startInboundWorker(
  queues: OpenQueues,
  handle: EventHandler,
  options: WorkerOptions,
): Promise<QueueWorker> {
  return startWorker(
    queues,
    'workflow',
    {
      'inbound.apply': consumeEvents('inbound.apply', handle),
      'plan.follow': consumeEvents('plan.follow', async () => {}),
      'task.plan': consumeEvents('task.plan', async () => {}),
      'run.advance': consumeEvents('run.advance', async () => {}),
      'tell.follow': consumeEvents('tell.follow', async () => {}),
      'platform.tell': consumeEvents('platform.tell', async () => {}),
      'platform.hear': consumeEvents('platform.hear', async () => {}),
      'pull_request.open': consumeEvents('pull_request.open', async () => {}),
    },
    options,
  );
}
