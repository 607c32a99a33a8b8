import { getTask, listTimeline } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Body, body, created, item, pair, sam } from '../../test/corpus/bodies.ts';
import { corpusScene } from '../../test/corpus-scene.ts';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { createReceivedEvent } from '../../test/received-event.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

async function platform(...bodies: Body[]) {
  const { tenantId, play } = await corpusScene(test, scene);
  await play(bodies);
  const ctx = test.context({ tenantId });
  const { id } = (await linkedTask(test, tenantId, 'x1')) as { id: string };
  return {
    tenantId,
    play,
    task: async () => (await getTask(ctx, id)).body,
    async timeline() {
      const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'seq', isDescending: false } };
      return (await listTimeline(ctx, id, {}, page)).items;
    },
    outcomes: async () => (await scene.receipts(tenantId)).map(({ status, outcome }) => `${status}: ${outcome}`),
  };
}

const comment = (date: number, text: string) =>
  item('comment', date, { comment: { id: 'c1', text_content: text, user: { username: 'John' } } });

describe('changes that the platform reports', () => {
  it('changes an edited comment in its own entry, and says so to those who have read it', async () => {
    const { play, timeline, task } = await platform(created(), body('taskCommentPosted', comment(20, 'one')));
    await play(pair('taskCommentUpdated', comment(20, 'two')));
    const entries = await timeline();
    expect(entries.filter(({ type }) => type === 'comment')).toMatchObject([
      { seq: 2, content: 'two', author: 'John', edited_at: expect.stringMatching(/Z$/) },
    ]);
    expect(entries.filter(({ type }) => type === 'edit')).toMatchObject([{ changed: ['comment'] }]);
    expect((await task()).activity).toMatchObject([{ type: 'comment', content: 'two' }]);
  });

  it('withdraws a deleted comment: its entry stays, without its content', async () => {
    const { play, timeline, task } = await platform(created(), body('taskCommentPosted', comment(20, 'one')));
    await play([body('taskUpdated', item('comment_deleted', 30, { before: 'c1' }))]);
    expect((await timeline()).filter(({ type }) => type === 'comment')).toMatchObject([
      { content: '', deleted_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await task()).activity).toEqual([]);
    await play([body('taskCommentUpdated', comment(40, 'back'))]);
    const [back] = (await timeline()).filter(({ type }) => type === 'comment');
    expect(back).toMatchObject({ content: 'back' });
    expect(back).not.toHaveProperty('deleted_at');
  });

  it('writes what tasks have no field for into the timeline, paired events once', async () => {
    const place = (id: string, name: string) => ({ id, name, category: null, project: { id: 's1', name: 'Space' } });
    const { timeline } = await platform(
      created(),
      ...pair('taskMoved', item('section_moved', 20, { before: place('l1', 'Old'), after: place('l2', 'New') })),
      ...pair('taskTimeEstimateUpdated', item('time_estimate', 21, { before: null, after: '5400000' })),
      ...pair('taskUpdated', item('start_date', 22, { after: '1643608800000' })),
      ...pair('taskUpdated', item('start_date', 23, { after: null })),
      ...pair('taskAssigneeUpdated', item('assignee_add', 24, { after: { id: 7, username: 'Stranger' } })),
      ...pair('taskUpdated', item('custom_field', 25, { after: 3, custom_field: { id: 'cf', name: 'Points' } })),
    );
    const entries = (await timeline()).filter(({ type }) => type === 'platform_change');
    expect(entries.map(({ id: _id, seq: _seq, timestamp: _at, actor: _actor, type: _type, ...rest }) => rest)).toEqual([
      { field: 'list', from: 'Old', to: 'New' },
      { field: 'time_estimate', to: '1.5h' },
      { field: 'start_date', to: '2022-01-31T06:00:00Z' },
      { field: 'start_date', from: '2022-01-31T06:00:00Z' },
      { field: 'assignees', to: 'Stranger' },
      { field: 'custom_field', title: 'Points', to: '3' },
    ]);
  });

  it('shows on the task what it has no field for, in the read of the task itself', async () => {
    const { task } = await platform(created({ list_id: 'l1' }), {
      event: 'listUpdated',
      list_id: 'l1',
      data: { name: 'Sprint', archived: false },
    });
    const { platform: shown } = await task();
    expect(shown).toMatchObject({ id: 'x1', list: { id: 'l1', name: 'Sprint' } });
    expect(shown?.integration_id).toMatch(/^int_/);
  });

  it('keeps an agent that a person chose when the platform removes a user that set another one', async () => {
    const { tenantId, play, task } = await platform(
      created(),
      ...pair('taskAssigneeUpdated', item('assignee_add', 20, { after: sam })),
    );
    const { id, assigned_agent: set } = await task();
    expect(set).toMatch(/^agt_/);
    await test.database.db.query(
      `UPDATE tasks SET assigned_agent = NULL, is_pinned = false, assigned_role = 'pm' WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
    );
    await play(pair('taskAssigneeUpdated', item('assignee_rem', 30, { before: sam })));
    expect(await task()).toMatchObject({ assigned_agent: null, assigned_role: 'pm' });
  });

  it('ignores fields that it does not know, names them, and keeps the body', async () => {
    const { tenantId, play, outcomes } = await platform(created());
    await play([
      body('taskUpdated', item('points', 20, { after: 3 })),
      body('taskUpdated', item('points', 21, { after: 3 }), item('name', 21, { after: 'Named' })),
    ]);
    expect((await outcomes()).slice(1)).toEqual([
      'ignored: unknown field: points',
      expect.stringMatching(/^applied: updated tsk_\w+: title; unknown field: points$/),
    ]);
    await play([body('taskUpdated', { field: 'points', date: 22, after: 3, extra: 'kept' })]);
    expect((await scene.receipts(tenantId)).at(-1)).toMatchObject({
      status: 'ignored',
      body: expect.stringContaining('"extra":"kept"'),
    });
  });

  it('keeps an event that it does not know in quarantine, also when it is replayed', async () => {
    const { tenantId, play, outcomes } = await platform(created());
    await play([{ ...body('taskArchived'), task_id: 'x2' }]);
    expect((await outcomes()).at(-1)).toMatch(/^quarantined/);
    await createReceivedEvent(test, tenantId);
    await scene.apply(tenantId);
    expect((await outcomes()).at(-1)).toBe('quarantined: unknown_event: taskArchived is not known');
    expect(await linkedTask(test, tenantId, 'x2')).toBeUndefined();
  });
});
