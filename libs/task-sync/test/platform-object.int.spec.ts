import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from './inbound-scene.ts';
import { issueBody } from '@eas/source-host/bodies';
import { sourceHostScene } from './source-host-scene.ts';
import { sweepInboundBodies } from '@eas/receiving';
import { sweepOldTombstones } from '@eas/task-platform';

const test = useTestDatabase();
const secret = 'a secret of this platform';
const at = 1_700_000_000_000;
const [bodyDays, keptDays] = [90, 91];

let scene: ReturnType<typeof inboundScene>;
let tenantId: string;
let id: string;
beforeEach(async () => {
  scene = inboundScene(test);
  tenantId = await test.createTenant();
  id = (await scene.connect(tenantId, { type: 'taskplatform', secret })).integration.id;
});

let receipts = 0;
const send = async (event: string, date: number) => {
  const history_items = [{ id: `h${(receipts += 1)}`, field: 'name', after: 'Limit logins', date }];
  await scene.sendPlatform({ event, task_id: 't1', history_items }, { secret, to: id });
  await scene.apply(tenantId);
};
const query = <R extends object>(sql: string, ...values: unknown[]) => test.database.db.query<R>(sql, values);

/** As if these days had passed, and the sweeps had run on the last one. */
async function passDays(days: number, of = tenantId): Promise<void> {
  for (const [table, column] of [
    ['platform_objects', 'needed_at'],
    ['inbound_events', 'settled_at'],
  ])
    await query(`UPDATE ${table} SET ${column} = ${column} - $2 * interval '1 day' WHERE tenant_id = $1`, of, days);
  await sweepInboundBodies(test.database.db, bodyDays, new AbortController().signal);
  await sweepOldTombstones(test.database.db, keptDays);
}
const keptKinds = async (of = tenantId) =>
  (await query<{ kind: string }>('SELECT kind FROM platform_objects WHERE tenant_id = $1 ORDER BY kind', of)).map(
    ({ kind }) => kind,
  );
const deletions = () =>
  query<{ kind: string; deletedAt: Date | null }>(
    'SELECT kind, deleted_at AS "deletedAt" FROM platform_objects WHERE tenant_id = $1 ORDER BY kind',
    tenantId,
  );
const task = () => linkedTask(test, tenantId, 't1');

describe('the deletion of a task that was never known', () => {
  it('keeps late changes of it from making a task, for as long as any of them can be applied again', async () => {
    await send('taskDeleted', at);
    await passDays(60);
    await send('taskCreated', at - 10);
    expect(await task()).toBeUndefined();
    await passDays(60);
    // 120 days after the deletion the creation still has its body.
    const bodies = await query<{ id: string }>(
      "SELECT id FROM inbound_events WHERE tenant_id = $1 AND event = 'taskCreated' AND body IS NOT NULL",
      tenantId,
    );
    expect(bodies).toHaveLength(1);
    await query(
      `UPDATE inbound_events SET status = 'received', settled_at = NULL, outcome = NULL
       WHERE tenant_id = $1 AND event = 'taskCreated'`,
      tenantId,
    );
    await query(
      `INSERT INTO outbox (tenant_id, event_id, consumer, available_at)
       SELECT tenant_id, event_id, 'inbound.apply', now() FROM events
       WHERE tenant_id = $1 AND data ->> 'inbound_event_id' = $2`,
      tenantId,
      bodies[0]?.id,
    );
    await scene.apply(tenantId);
    expect(await task()).toBeUndefined();
    expect(await scene.receipts(tenantId)).toMatchObject([
      { event: 'taskDeleted' },
      { status: 'ignored', outcome: expect.stringContaining('deleted on the platform') },
    ]);
    await passDays(90);
    expect(await keptKinds()).toEqual(['task']);
  });

  it('is kept with its time, and counts as well where the previous release has written it', async () => {
    await send('taskDeleted', at);
    expect(await deletions()).toEqual([{ kind: 'task', deletedAt: new Date(at) }]);
    await query('UPDATE platform_objects SET deleted_at = NULL WHERE tenant_id = $1', tenantId);
    await send('taskCreated', at - 10);
    expect(await task()).toBeUndefined();
    expect(await deletions()).toEqual([{ kind: 'task', deletedAt: new Date(at) }]);
  });

  it('is forgotten when nothing has needed it for longer than bodies are kept', async () => {
    await send('taskDeleted', at);
    await passDays(keptDays - 1);
    expect(await keptKinds()).toEqual(['task']);
    await passDays(2);
    expect(await keptKinds()).toEqual([]);
    expect(await query('SELECT 1 FROM inbound_events WHERE tenant_id = $1 AND body IS NOT NULL', tenantId)).toEqual([]);
  });

  it('is forgotten by the day on which it came, whatever date it has', async () => {
    await send('taskDeleted', 1);
    await passDays(1);
    await send('taskCreated', 0);
    expect(await task()).toBeUndefined();
  });
});

describe('what a sender reports of a thing that is no task', () => {
  it('is marked as deleted at the time of the platform, until it is there again', async () => {
    const sendList = async (event: string, date: number) => {
      const history_items = [{ id: `h${(receipts += 1)}`, field: 'name', after: 'Sprint', date }];
      await scene.sendPlatform({ event, list_id: 'l1', history_items }, { secret, to: id });
      await scene.apply(tenantId);
    };
    await sendList('listCreated', at);
    expect(await deletions()).toEqual([{ kind: 'list', deletedAt: null }]);
    await sendList('listDeleted', at + 5);
    expect(await deletions()).toEqual([{ kind: 'list', deletedAt: new Date(at + 5) }]);
    await sendList('listUpdated', at + 9);
    expect(await deletions()).toEqual([{ kind: 'list', deletedAt: null }]);
  });

  it('is forgotten after its last change; what tasks show is kept', async () => {
    const host = await sourceHostScene(test, scene, { labels: { bug: 'rd' } });
    await host.play([['issues', issueBody('opened', 1, { labels: ['ui'] })]]);
    await query(
      `INSERT INTO platform_objects (tenant_id, integration_ref, kind, external_id, data, updated_at)
       VALUES ($1, $2, 'list', 'l1', '{}', now() - interval '1000 days')`,
      host.tenantId,
      host.integration.id,
    );
    await passDays(keptDays - 1, host.tenantId);
    await host.play([['issues', issueBody('edited', 2, { labels: ['ui'] })]]);
    await passDays(keptDays - 1, host.tenantId);
    expect(await keptKinds(host.tenantId)).toEqual(['list', 'unlabelled']);
    await passDays(2, host.tenantId);
    expect(await keptKinds(host.tenantId)).toEqual(['list']);
  });
});
