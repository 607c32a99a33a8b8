import { contextInTransaction, takePendingEvents, type Tx } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { pullRequestBody } from '@eas/source-host/bodies';
import { sourceHostScene } from '../../test/source-host-scene.ts';
import { applyInboundEvents } from './apply-inbound-events.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const platformSecret = 'a secret of the platform';
const externalIds = ['x1', 'x2', 'x3', 'x4'];

/** Tasks of a platform, each linked to a pull request of the source host; both report them, in opposite orders. */
async function crossing() {
  const host = await sourceHostScene(test, scene, { complete_on_merge: true });
  const { integration } = await scene.connect(host.tenantId, { type: 'taskplatform', secret: platformSecret });
  const sendPlatform = (body: object) => scene.sendPlatform(body, { secret: platformSecret, to: integration.id });
  for (const id of externalIds) await sendPlatform({ event: 'taskCreated', task_id: id, data: { name: id } });
  await scene.apply(host.tenantId);
  const found = await Promise.all(externalIds.map((id) => linkedTask(test, host.tenantId, id)));
  const taskIds = found.map((task) => String(task?.['id']));
  const pr = (action: string, at: number, number: number) =>
    pullRequestBody(action, at, { number, ref: taskIds[number - 1] ?? '', merged: action === 'closed' });
  for (const number of [1, 2, 3, 4]) await host.play([['pull_request', pr('opened', 1, number)]]);
  const item = (status: string, date: number) => ({ field: 'status', date, after: { status } });
  for (const [index, id] of externalIds.entries())
    await sendPlatform({ event: 'taskUpdated', task_id: id, history_items: [item('in progress', 100 + index)] });
  for (const number of [4, 3, 2, 1]) await host.send('pull_request', pr('closed', 2, number));
  return { host, taskIds };
}

const owedSql = `
  SELECT o.event_id AS id FROM outbox o JOIN events e USING (tenant_id, event_id)
  JOIN inbound_events i ON i.tenant_id = o.tenant_id AND i.id = e.data ->> 'inbound_event_id'
  WHERE o.tenant_id = $1 AND o.consumer = 'inbound.apply' AND i.source = $2`;

describe('batches of both receivers at the same time', () => {
  it('take the tasks that they share in one order, and never wait for each other in a circle', async () => {
    const { host, taskIds } = await crossing();
    const { database } = test;
    const owed = async (source: string) =>
      (await database.db.query<{ id: string }>(owedSql, [host.tenantId, source])).map(({ id }) => id);
    const [platform, sourceHost] = [await owed('taskplatform'), await owed('sourcehost')];
    expect([platform.length, sourceHost.length]).toEqual([4, 4]);
    let tries = 0;
    const apply = (ids: string[]) =>
      database.inTransaction(host.tenantId, async (tx: Tx) => {
        tries += 1;
        const events = await takePendingEvents(tx, 'inbound.apply', ids);
        await applyInboundEvents(contextInTransaction(test.context({ tenantId: host.tenantId }), tx), events);
      });
    const waiting = (count: number) =>
      eventually(async () => {
        const rows = await database.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length === count;
      });
    // Both come to the first task while somebody has it.
    const batches = await database.inTransaction(host.tenantId, async (tx) => {
      await tx.db.query('SELECT FROM tasks WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [host.tenantId, taskIds[0]]);
      const first = apply(platform);
      await waiting(1);
      const second = apply(sourceHost);
      await waiting(2);
      return [first, second];
    });
    await Promise.all(batches);
    // A deadlock would have begun one of them again.
    expect(tries).toBe(2);
    for (const id of taskIds) expect((await host.task(id)).status).toBe('completed');
  });
});
