import { runsOf } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { agentScene } from '../inputs/agent-scene.ts';

const gateway = useGateway();
const kib = 1_024;

/** Adds this number of comments. */
async function addComments(taskId: string, count: number, content: string): Promise<void> {
  const sql = `
    WITH added AS (
      INSERT INTO task_timeline (tenant_id, task_id, seq, kind, at, actor, data)
      SELECT t.tenant_id, t.id, t.timeline_seq + n, 'comment', app_now(), 'key_1',
        jsonb_build_object('content', $3 || n)
      FROM tasks t, generate_series(1, $2::int) AS n WHERE t.id = $1
    )
    UPDATE tasks SET timeline_seq = timeline_seq + $2::int, comment_count = comment_count + $2::int WHERE id = $1`;
  await gateway.test.database.db.query(sql, [taskId, count, content]);
}

const contents = ({ activity }: Json): string[] => activity.map(({ content }: Json) => content);

describe('the activity of a task', () => {
  it('is the newest 100 entries, oldest first, and says where all of them are', async () => {
    const { addTask, readTask } = await agentScene(gateway);
    const { id } = await addTask();
    expect(await readTask(id)).toMatchObject({ activity: [], activity_truncated: false });
    await addComments(id, 100, 'c');
    expect(await readTask(id)).toMatchObject({ activity_truncated: false });
    await addComments(id, 1, 'last');
    const shown = await readTask(id);
    expect(contents(shown)).toEqual([...Array.from({ length: 99 }, (_, n) => `c${n + 2}`), 'last1']);
    expect(shown).toMatchObject({ activity_truncated: true, timeline_url: `/v1/tasks/${id}/timeline` });
    expect((await gateway.get(`${shown.timeline_url}?type=comment`)).body.metadata.total).toBe(101);
  });

  const many = runsOf(1_000, 4_250);
  it(`is at most 256 KiB of ${many} comments of 64 KiB, however many ask for it at once`, async () => {
    const { addTask, readTask } = await agentScene(gateway);
    const { id } = await addTask();
    await addComments(id, many, 'x'.repeat(64 * kib - 10));
    const all = await Promise.all(Array.from({ length: 30 }, () => readTask(id)));
    for (const shown of all) {
      expect(contents(shown).map((content) => Number(/\d+$/.exec(content)))).toEqual([many - 2, many - 1, many]);
      expect(shown.activity_truncated).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(shown.activity))).toBeLessThanOrEqual(256 * kib);
    }
  });

  it('has what a long history of other entries leaves of it, and says that there may be more', async () => {
    const { addTask, readTask } = await agentScene(gateway);
    const { id } = await addTask();
    await addComments(id, 1, 'old');
    await addComments(id, 5_000, 'progress');
    await gateway.test.database.db.query("UPDATE task_timeline SET kind = 'progress' WHERE task_id = $1 AND seq > 2", [
      id,
    ]);
    expect(await readTask(id)).toMatchObject({ activity: [], activity_truncated: true });
  });
});

describe('what is written to a task', () => {
  it('is at most 10,000 comments of all authors', async () => {
    const { hold, call } = await agentScene(gateway);
    const { task, lease } = await hold();
    await addComments(task.id, 9_999, 'c');
    expect((await gateway.post(`/v1/tasks/${task.id}/comments`, { content: 'the last' })).status).toBe(201);
    const more = await gateway.post(`/v1/tasks/${task.id}/comments`, { content: 'one more' });
    expectError(more, 409, 'conflict', { field: 'comment', constraint: 'limit' });
    const progress = await call(lease, 'progress', { percent_complete: 70, comment: 'one more' });
    expectError(progress, 409, 'conflict', { field: 'comment', constraint: 'limit' });
    expect((await call(lease, 'progress', { percent_complete: 70 })).status).toBe(200);
    const { total } = (await gateway.get(`/v1/tasks/${task.id}/timeline?type=comment`)).body.metadata;
    expect(total).toBe(10_000);
  });

  it('is at most 1,000 messages without acknowledgement, returned as far as they fit', async () => {
    const { hold, call } = await agentScene(gateway);
    const { task, lease } = await hold();
    const say = (content: string) => gateway.post(`/v1/tasks/${task.id}/messages`, { content });
    for (let n = 0; n < 6; n += 1) await say(`${n}${'x'.repeat(60_000)}`);
    const { directives } = (await call(lease, 'heartbeat')).body;
    expect(directives.map(({ content }: Json) => content[0])).toEqual(['0', '1', '2', '3']);
    const directive_ids = directives.map(({ id }: Json) => id);
    const rest = (await call(lease, 'acknowledge', { directive_ids })).body.directives;
    expect(rest.map(({ content }: Json) => content[0])).toEqual(['4', '5']);
    const sql = `INSERT INTO directives (tenant_id, task_id, seq, id, kind, data, created_at)
      SELECT tenant_id, id, directive_seq + n, 'dir_' || n, 'message', '{}', app_now()
      FROM tasks, generate_series(1, 998) AS n WHERE id = $1`;
    await gateway.test.database.db.query(sql, [task.id]);
    await gateway.test.database.db.query('UPDATE tasks SET directive_seq = directive_seq + 998 WHERE id = $1', [
      task.id,
    ]);
    expectError(await say('one more'), 409, 'conflict', { field: 'content', constraint: 'limit' });
  });
});

describe('what an agent has to do', () => {
  it('shows its first 100 tasks, and says when there are more', async () => {
    const { addTask, readAgent, id } = await agentScene(gateway);
    await Promise.all(Array.from({ length: 101 }, () => addTask({ assigned_agent: id })));
    expect((await readAgent()).current_tasks).toHaveLength(100);
    expect(await readAgent()).toMatchObject({ current_tasks_truncated: true });
  });

  it('brings the newest answers that fit with a claim', async () => {
    const { hold, ask, call, claim } = await agentScene(gateway);
    const { lease } = await hold();
    for (let n = 0; n < 6; n += 1) {
      const { input } = (await ask(lease, { prompt: `${n}${'p'.repeat(60_000)}`, blocking: false })).body;
      await gateway.post(`/v1/inputs/${input.id}/answer`, { answer: `${n}` });
    }
    await call(lease, 'release');
    await gateway.test.shiftClock(60);
    const { context } = (await claim()).body;
    expect(context.answers.map(({ answer }: Json) => answer)).toEqual(['2', '3', '4', '5']);
  });
});
