import { scopes, type Send } from '@eas/contracts';
import { append } from '@eas/db';
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { useQueues } from '@eas/testing/queues';
import { createEndpoint, fanOut } from '@eas/webhooks';
import { expect, it } from '@jest/globals';
import { dispatching } from '../src/dispatching.ts';

const db = useTestDatabase();
const q = useQueues(db);

it('leaves due deliveries in their rows while the workers have enough to do', async () => {
  const ctx = db.context({ tenantId: await db.createTenant() });
  const rules = { vetUrl: () => ({ isAllowed: true }) as const, secretMinLength: 16 };
  await createEndpoint(ctx, { body: { url: 'https://example.com', events: ['*'] }, scopes }, rules);
  const eventId = await ctx.inTransaction(async (tx) => {
    const data = { task_id: 'tsk_1', title: 'A task', content: 'text', author: 'key_1' };
    return append(tx, { type: 'task.commented', at: ctx.clock.now(), data, facts: null });
  });
  await fanOut(ctx, [{ eventId, type: 'task.commented' }]);
  await db.shiftClock(20);

  let waiting = 501;
  let reads = 0;
  const sent: Send[] = [];
  const queues = {
    ...q.queues,
    depths: async () => ((reads += 1), { webhooks: { waiting, active: 0, delayed: 0, failed: 0 } }),
    send: async (jobs: readonly Send[]) => void sent.push(...jobs),
  };
  const egress = createLoopbackEgress();
  const parts = { database: db.database, queues, egress, makeContext: () => ctx, logger: silentLogger };
  const sweeper = dispatching({ ...parts, retrySeconds: [1], concurrency: 1 }).startSweeper();
  await eventually(() => reads >= 2);
  expect(sent).toEqual([]);
  waiting = 500;
  await eventually(() => sent.length > 0);
  await sweeper.stop();
  await egress.close();
  expect(sent.map(({ job }) => job)).toEqual(['delivery.send']);
});
