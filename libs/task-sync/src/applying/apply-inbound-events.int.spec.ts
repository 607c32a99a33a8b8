import { defaultTenantId } from '@eas/contracts';
import { findStoredEvent } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { sampleBody, sampleNames } from '@eas/task-platform/samples';
import { reportStatus } from '../../test/report-status.ts';
import { giveUpInboundEvent } from '../index.ts';
import { readReceiptSizes } from '@eas/receiving';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const secret = 'a secret of sixteen';
const statusMap = { shipped: 'completed', dropped: 'cancelled' } as const;

/** A tenant whose integration takes bodies of every webhook; `play` sends bodies in order and applies them. */
async function platform() {
  const tenantId = await test.createTenant();
  const ownSecret = `${secret} ${tenantId}`;
  await scene.connect(tenantId, { type: 'taskplatform', secret: ownSecret, status_map: statusMap });
  const send = (body: object | Buffer) => scene.sendPlatform(body, { secret: ownSecret });
  const play = async (...bodies: (object | Buffer)[]) => {
    for (const body of bodies) await send(body);
    await scene.apply(tenantId);
  };
  return { tenantId, send, play, task: (externalId = 'x1') => linkedTask(test, tenantId, externalId) };
}

const created = (over: object = {}) => ({ event: 'taskCreated', task_id: 'x1', ...over });
const updated = (items: object[], over: object = {}) => ({
  event: 'taskUpdated',
  task_id: 'x1',
  history_items: items,
  ...over,
});
const statuses = async (tenantId: string) => (await scene.receipts(tenantId)).map(({ status }) => status);

describe('applyInboundEvents', () => {
  it('makes a task of taskCreated, linked to the platform’s', async () => {
    const { tenantId, play, task } = await platform();
    const data = {
      name: 'Fix it',
      priority: 1,
      due_date: '2026-12-01T10:00:00Z',
      tags: ['bug'],
      status: { status: 'to do' },
    };
    await play(created({ data }));
    expect(await task()).toMatchObject({
      title: 'Fix it',
      description: '',
      status: 'created',
      priority: 'urgent',
      dueDate: new Date('2026-12-01T10:00:00Z'),
      tags: ['bug'],
      metadata: { ticket_id: 'x1' },
      isHeld: false,
      platformStatus: 'to do',
      tasks: 1,
    });
    expect(await scene.receipts(tenantId)).toMatchObject([
      { status: 'applied', outcome: expect.stringMatching(/^created tsk_/) },
    ]);
  });

  it('names a task by its id until its name is known', async () => {
    const { play, task } = await platform();
    await play(sampleBody('signature-doc-example.taskCreated-minimal'));
    expect(await task('c0j')).toMatchObject({ title: 'Task c0j' });
    await play({ event: 'taskUpdated', task_id: 'c0j', data: { name: 'Known now' } });
    expect(await task('c0j')).toMatchObject({ title: 'Known now', tasks: 1 });
  });

  it('applies the history of taskUpdated, in the platform’s shape and in the interface’s', async () => {
    const { play, task } = await platform();
    await play(
      created(),
      updated([
        { id: '1', field: 'name', date: '100', before: null, after: 'Named' },
        { id: '2', field: 'content', date: '100', after: '{"ops":[{"insert":"Described\\n"}]}' },
        { id: '3', field: 'priority', date: '100', after: { id: '2', priority: 'high' } },
        { id: '4', field: 'due_date', date: '100', after: '1643608800000' },
        { id: '5', field: 'tag', date: '100', after: [{ name: 'a' }] },
      ]),
      updated([{ field: 'tags', added: ['b', 'c'], removed: ['a'] }]),
      updated([{ field: 'priority', before: 2, after: 4 }]),
    );
    expect(await task()).toMatchObject({
      title: 'Named',
      description: 'Described',
      priority: 'low',
      dueDate: new Date(1643608800000),
      tags: ['b', 'c'],
    });
  });

  it('makes the task of whatever event comes first, and lets no older change win', async () => {
    const { play, task } = await platform();
    const rename = (name: string, date: number) => updated([{ id: `n${date}`, field: 'name', date, after: name }]);
    await play(rename('third', 300), rename('second', 200), created({ data: { name: 'first', priority: 1 } }));
    expect(await task()).toMatchObject({ title: 'third', priority: 'urgent', tasks: 1 });
    await play(rename('fourth', 400));
    expect(await task()).toMatchObject({ title: 'fourth' });
  });

  it('changes nothing when everything comes again', async () => {
    const { tenantId, play, task } = await platform();
    const bodies = [
      created({ data: { name: 'a', tags: ['x'] } }),
      updated([{ field: 'name', date: 100, after: 'b' }]),
      updated([{ field: 'comment', date: 100, comment: { id: 'c1', text_content: 'hello' } }]),
    ];
    await play(...bodies);
    const before = await task();
    expect(before).toMatchObject({ title: 'b', comments: ['hello'] });
    await play(...bodies);
    expect(await task()).toEqual(before);
    expect(await scene.receipts(tenantId)).toHaveLength(6);
  });

  it('keeps a comment once although several events bring it, and changes it when it is edited', async () => {
    const { play, task } = await platform();
    await play(
      sampleBody('taskCommentPosted'),
      sampleBody('taskUpdated.comment'),
      sampleBody('taskCommentUpdated'),
      sampleBody('taskUpdated.comment-edited'),
    );
    expect(await task('1vj38vv')).toMatchObject({ comments: ['comment abc1234 56789'] });
  });

  it('holds a task while the platform’s word is not one for open work, and ends it on words that mean so', async () => {
    const { play, task } = await platform();
    const status = (word: string, date: number) =>
      updated([{ id: `s${date}`, field: 'status', date, after: { status: word } }]);
    await play(created({ data: { status: { status: 'in progress' } } }));
    expect(await task()).toMatchObject({ status: 'created', isHeld: true, platformStatus: 'in progress' });
    await play(status('to do', 100));
    expect(await task()).toMatchObject({ status: 'created', isHeld: false });
    await play(status('Shipped', 200));
    expect(await task()).toMatchObject({ status: 'completed', platformStatus: 'Shipped' });
    await play(status('to do', 150));
    expect(await task()).toMatchObject({ status: 'completed' });
    await play(status('to do', 300));
    expect(await task()).toMatchObject({ status: 'open' });
    await play(status('dropped', 400));
    expect(await task()).toMatchObject({ status: 'cancelled' });
  });

  it('does not undo our own completion when the platform repeats its word', async () => {
    const { tenantId, play, task } = await platform();
    await play(sampleBody('taskCreated'));
    const { id } = (await task('1vj37mc')) as { id: string };
    await reportStatus(test.context({ tenantId }), id, 'completed');
    await play(sampleBody('taskStatusUpdated.on-create'));
    expect(await task('1vj37mc')).toMatchObject({ status: 'completed' });
  });

  it('cancels the task that the platform deletes', async () => {
    const { tenantId, play, task } = await platform();
    await play(created(), { event: 'taskDeleted', task_id: 'x1' }, { event: 'taskDeleted', task_id: 'unknown' });
    expect(await task()).toMatchObject({ status: 'cancelled' });
    expect(await statuses(tenantId)).toEqual(['applied', 'applied', 'applied']);
  });

  it('makes no task of what comes after its deletion, unless the platform dates it later', async () => {
    const { tenantId, play, task } = await platform();
    const deleted = { event: 'taskDeleted', task_id: 'x1', history_items: [{ date: 100 }] };
    await play(deleted, created(), updated([{ field: 'name', after: 'no date' }]));
    await play(updated([{ field: 'name', date: 99, after: 'older' }]));
    expect(await task()).toBeUndefined();
    expect(await statuses(tenantId)).toEqual(['applied', 'ignored', 'ignored', 'ignored']);
    await play(updated([{ field: 'name', date: 101, after: 'restored' }]));
    expect(await task()).toMatchObject({ status: 'created', title: 'restored', tasks: 1 });
  });

  it('keeps copies of lists, folders, spaces, goals and key results', async () => {
    const { tenantId, play } = await platform();
    await play(
      { event: 'listUpdated', list_id: 'l1', data: { name: 'old', archived: false } },
      sampleBody('listUpdated'),
      { event: 'keyResultUpdated', key_result_id: 'k1', goal_id: 'g1', data: { current: 3, target: 9 } },
      { event: 'keyResultDeleted', key_result_id: 'k1' },
    );
    const copies = await test.database.db.query(
      `SELECT kind, external_id AS id, data FROM platform_objects WHERE tenant_id = $1 ORDER BY kind, external_id`,
      [tenantId],
    );
    expect(copies).toEqual([
      {
        kind: 'keyResult',
        id: 'k1',
        data: { key_result_id: 'k1', goal_id: 'g1', current: 3, target: 9, is_deleted: true },
      },
      {
        kind: 'list',
        id: '162641285',
        data: { list_id: '162641285', name: 'Webhook payloads round 2', is_deleted: false },
      },
      { kind: 'list', id: 'l1', data: { list_id: 'l1', name: 'old', archived: false, is_deleted: false } },
    ]);
  });

  it('settles every sample, in one batch as one by one, with the same tasks', async () => {
    const together = await platform();
    const alone = await platform();
    for (const name of sampleNames) await together.send(sampleBody(name));
    for (const name of sampleNames) await alone.send(sampleBody(name));
    await scene.apply(together.tenantId);
    await scene.apply(alone.tenantId, { oneByOne: true });
    for (const externalId of ['1vj37mc', '1vj38vv', 'c0j']) {
      const task = await together.task(externalId);
      const platform = { ...(task?.['platform'] as object), integration_id: expect.stringMatching(/^int_/) };
      expect(await alone.task(externalId)).toEqual({
        ...task,
        id: expect.anything(),
        platform,
      });
      expect(task).toMatchObject({ tasks: 1 });
    }
    expect(new Set(await statuses(together.tenantId))).toEqual(new Set(['applied', 'ignored']));
    expect(await alone.task('1vj38vv')).toMatchObject({
      priority: 'high',
      tags: ['def'],
      isHeld: true,
      platformStatus: 'in progress',
      dueDate: new Date(1643608800000),
    });
  });

  it('makes one task when several batches bring the same new one at a time', async () => {
    const { tenantId, send, task } = await platform();
    // With dates: the order of two creations of the same date is not promised.
    const named = (date: number) => created({ history_items: [{ field: 'name', date, after: `n${date}` }] });
    for (let date = 1; date <= 12; date += 1) await send(named(date));
    await Promise.all([1, 2, 3, 4].map(() => scene.apply(tenantId, { oneByOne: true })));
    expect(await task()).toMatchObject({ tasks: 1, title: 'n12' });
    expect(await statuses(tenantId)).not.toContain('received');
  });

  it('leaves one task per ticket when a row of the batch cannot be written and all is done again one by one', async () => {
    const { tenantId, send } = await platform();
    const { db } = test.database;
    for (let index = 0; index < 30; index += 1)
      await send(created({ task_id: `t${index}`, data: { name: index === 17 ? 'unwritable' : `n${index}` } }));
    await db.query(`ALTER TABLE tasks ADD CONSTRAINT spec_check CHECK (title <> 'unwritable')`);
    try {
      await expect(scene.apply(tenantId)).rejects.toThrow('spec_check');
      expect(await db.query('SELECT FROM tasks WHERE tenant_id = $1', [tenantId])).toEqual([]);
      await expect(scene.apply(tenantId, { oneByOne: true })).rejects.toThrow('spec_check');
    } finally {
      await db.query('ALTER TABLE tasks DROP CONSTRAINT spec_check');
    }
    await scene.apply(tenantId);
    const tasks = await db.query<{ ticket: string }>(
      `SELECT metadata ->> 'ticket_id' AS ticket FROM tasks WHERE tenant_id = $1`,
      [tenantId],
    );
    expect(tasks.map(({ ticket }) => ticket).sort()).toEqual(Array.from({ length: 30 }, (_, n) => `t${n}`).sort());
    expect(await statuses(tenantId)).toEqual(Array(30).fill('applied'));
  });

  it('brings a body that begins with a byte order mark to its effect', async () => {
    const { play, task } = await platform();
    await play(Buffer.from(`\uFEFF${JSON.stringify(created({ data: { name: 'marked' } }))}`));
    expect(await task()).toMatchObject({ title: 'marked' });
  });

  it('records who did it: the integration, or the system for unsigned bodies', async () => {
    const { tenantId, play, task } = await platform();
    await play(created());
    await scene.sendPlatform(created({ task_id: 'unsigned-1' }), { takesUnsigned: true });
    await scene.apply(defaultTenantId);
    const actorOf = async (tenant: string, taskId: unknown) =>
      test.database.db.query('SELECT actor FROM task_timeline WHERE tenant_id = $1 AND task_id = $2', [tenant, taskId]);
    expect(await actorOf(tenantId, (await task())?.['id'])).toEqual([{ actor: expect.stringMatching(/^int_/) }]);
    const unsigned = await linkedTask(test, defaultTenantId, 'unsigned-1');
    expect(await actorOf(defaultTenantId, unsigned?.['id'])).toEqual([{ actor: 'system' }]);
  });

  it('knows how large its receipts are, and settles as failed what is given up', async () => {
    const { tenantId, send, play } = await platform();
    await play(created({ task_id: 'applied' }));
    await send(created({ task_id: 'small' }));
    await send(created({ task_id: 'large', data: { description: 'x'.repeat(100_000) } }));
    const ctx = test.context({ tenantId });
    const rows = await ctx.db.query<{ id: string }>(
      `SELECT event_id AS id FROM events WHERE tenant_id = $1 AND event_type = 'inbound.received' ORDER BY event_id`,
      [tenantId],
    );
    const ids = rows.map(({ id }) => id);
    const sizes = await readReceiptSizes(ctx, ids);
    expect(ids.map((id) => (sizes.get(id) ?? 0) > 100_000)).toEqual([false, false, true]);
    for (const id of ids) {
      const event = await findStoredEvent(ctx, id);
      if (event) await giveUpInboundEvent(ctx, event);
    }
    expect(await statuses(tenantId)).toEqual(['applied', 'failed', 'failed']);
    expect((await scene.receipts(tenantId))[1]?.outcome).toMatch(/^gave_up: /);
  });
});
