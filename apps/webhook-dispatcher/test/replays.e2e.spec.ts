import { scopes } from '@eas/contracts';
import { append } from '@eas/db';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { useQueues } from '@eas/testing/queues';
import { createEndpoint, createReplay, fanOut, getReplay } from '@eas/webhooks';
import { expect, it } from '@jest/globals';
import { dispatching } from '../src/dispatching.ts';

const db = useTestDatabase();
const q = useQueues(db);

it('moves replays of all tenants on until they are completed', async () => {
  const egress = createLoopbackEgress();
  const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 1 };
  const made: (() => Promise<string>)[] = [];
  for (let tenant = 0; tenant < 2; tenant += 1) {
    const ctx = db.context({ tenantId: await db.createTenant() });
    const { id } = await createEndpoint(ctx, { body: { url: 'https://example.com', events: ['*'] }, scopes }, rules);
    const eventIds = await ctx.inTransaction(async (tx) =>
      Array.from({ length: 3 }, () => {
        const data = { task_id: 'tsk_1', title: 'A task', content: 'text', author: 'key_1' };
        return append(tx, { type: 'task.commented', at: ctx.clock.now(), data, facts: null });
      }),
    );
    await fanOut(
      ctx,
      eventIds.map((eventId) => ({ eventId, type: 'task.commented' })),
    );
    const markDead = "UPDATE deliveries SET status = 'dead', next_attempt_at = NULL WHERE tenant_id = $1";
    await db.database.db.query(markDead, [ctx.tenantId]);
    const body = { filter: { statuses: ['dead' as const] }, max_per_second: 2, dry_run: false };
    const replay = await createReplay(ctx, { endpointId: id, body });
    made.push(async () => (await getReplay(ctx, replay.id)).status);
  }
  const parts = { database: db.database, queues: q.queues, egress, makeContext: () => db.context() };
  const work = dispatching({ ...parts, logger: silentLogger, retrySeconds: [1], concurrency: 1 });
  const replays = work.startReplays();
  await eventually(async () => (await Promise.all(made.map((status) => status()))).every((s) => s === 'completed'));
  await replays.stop();
  await egress.close();
  const states = await db.database.db.query<{ status: string; count: number }>(
    'SELECT status, count(*)::int AS count FROM deliveries GROUP BY status',
  );
  expect(states).toEqual([{ status: 'pending', count: 6 }]);
});
