import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, leaseSeconds, useGateway } from './gateway.ts';

const gateway = useGateway();
let scenes = 0;

/** An agent with a unique role and a key of its own. */
async function scene(agent: object = {}) {
  scenes += 1;
  const role = `role-${scenes}`;
  const { id } = await gateway.make('/v1/agents', { name: role, role, ...agent });
  const key = await gateway.makeKey(['agent:self'], { agentId: id });
  const addTask = (more: object = {}) =>
    gateway.make('/v1/tasks', { title: 'Work', description: 'Do it.', assigned_role: role, ...more });
  const claim = (body: object = {}, by = key) => gateway.post(`/v1/agents/${id}/claims`, body, { key: by });
  const call = (lease: Json, verb: string, body: object = {}) =>
    gateway.post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...body }, { key });
  const readTask = async (taskId: string): Promise<Json> => (await gateway.get(`/v1/tasks/${taskId}`)).body;
  const readAgent = async (): Promise<Json> => (await gateway.get(`/v1/agents/${id}`)).body;
  return { role, id, key, addTask, claim, call, readTask, readAgent };
}

/** Resolves as soon as a claim of the agent waits. */
const untilItWaits = (id: string) =>
  eventually(async () => {
    const sql = `SELECT FROM agents WHERE id = $1 AND waiting_until = 'infinity'`;
    return (await gateway.test.database.db.query(sql, [id])).length > 0;
  });

const blockedSql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const isAnybodyBlocked = async () => (await gateway.test.database.db.query(blockedSql)).length > 0;

describe('a claim', () => {
  it('is 204 when there is no task', async () => {
    const { claim } = await scene();
    const response = await claim();
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await claim({ wait_seconds: null })).status).toBe(204);
  });

  it('gives the task, a lease, context and directives', async () => {
    const { id, addTask, claim, readTask, readAgent } = await scene();
    const task = await addTask({ metadata: { ticket_id: 'T-1' }, tags: ['a'], due_date: '2027-01-01' });
    const before = Date.now();
    const { status, body } = await claim();
    expect([status, body]).toEqual([
      200,
      {
        task: { ...task, status: 'in_progress', assigned_agent: id },
        lease: { lease_id: expect.stringMatching(/^lse_/), fencing_token: 1, expires_at: expect.stringMatching(/Z$/) },
        context: {
          attempt: 1,
          failures: 0,
          lost_leases: 0,
          checkpoint: null,
          handoff: null,
          artifacts: [],
          answers: [],
          contract: null,
          parent: null,
          project: null,
        },
        directives: [],
      },
    ]);
    const claimedAt = Date.parse(body.lease.expires_at) - leaseSeconds * 1_000;
    expect(claimedAt).toBeGreaterThan(before - 1_000);
    expect(claimedAt).toBeLessThan(Date.now() + 1_000);
    expect((await readTask(task.id)).activity).toEqual([
      { type: 'status_change', from: 'created', to: 'in_progress', timestamp: expect.stringMatching(/Z$/) },
    ]);
    expect(await readAgent()).toMatchObject({ status: 'busy', current_tasks: [{ id: task.id, title: 'Work' }] });
  });

  it('that waits while its key is revoked gets no task', async () => {
    const { id, role, addTask, claim, readTask } = await scene();
    const { id: keyId, key } = await gateway.make(`/v1/agents/${id}/keys`, { name: 'k' });
    const waiting = claim({ wait_seconds: 30 }, key);
    await untilItWaits(id);
    expect((await gateway.send('DELETE', `/admin/api/keys/${keyId}`)).status).toBe(204);
    await eventually(async () => (await claim({}, key)).status === 401);
    const task = await addTask();
    expectError(await waiting, 401, 'unauthorized');
    expect(await readTask(task.id)).toMatchObject({ status: 'open', assigned_role: role });
    expect((await claim()).body).toMatchObject({ task: { id: task.id } });
  });

  it('waits for a task that comes', async () => {
    const { addTask, claim } = await scene();
    const waiting = claim({ wait_seconds: 20 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const task = await addTask();
    expect((await waiting).body.task.id).toBe(task.id);
  });

  it('is 409 once the agent holds its maximum of tasks, and active below that', async () => {
    const { addTask, claim, readAgent } = await scene({ max_concurrent_tasks: 2 });
    for (let n = 0; n < 3; n += 1) await addTask();
    expect((await claim()).status).toBe(200);
    expect((await readAgent()).status).toBe('active');
    expect((await claim()).status).toBe(200);
    expectError(await claim(), 409, 'conflict', { field: 'agent_id', constraint: 'limit' });
  });

  it('never gives one task to two agents', async () => {
    const { addTask, claim, role } = await scene({ max_concurrent_tasks: 100 });
    const added = await Promise.all(Array.from({ length: 8 }, () => addTask()));
    const other = await gateway.make('/v1/agents', { name: 'other', role, max_concurrent_tasks: 100 });
    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? claim() : gateway.post(`/v1/agents/${other.id}/claims`, {}))),
    );
    const got = claims.filter(({ status }) => status === 200).map(({ body }) => body.task.id);
    expect(got.toSorted()).toEqual(added.map(({ id }) => id).toSorted());
  });

  it('is given back when its caller hangs up before the response', async () => {
    const { id, key, addTask, claim, readTask, readAgent } = await scene();
    // Recording that the agent was seen would wait for its row as well.
    await claim();
    await eventually(async () => (await readAgent()).presence === 'online');
    const task = await addTask();
    const caller = new AbortController();
    const claiming = await gateway.test.context().inTransaction(async (tx) => {
      await tx.db.query('SELECT FROM agents WHERE id = $1 FOR UPDATE', [id]);
      const response = gateway
        .post(`/v1/agents/${id}/claims`, {}, { key, signal: caller.signal, isDirect: true })
        .catch(() => 'gone');
      await eventually(isAnybodyBlocked);
      caller.abort();
      // The gateway sees the connection end while the claim is on its way.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { response };
    });
    expect(await claiming.response).toBe('gone');
    await eventually(async () => (await readTask(task.id)).status === 'open');
    expect((await readAgent()).status).toBe('idle');
    expect((await claim()).body).toMatchObject({ task: { id: task.id }, lease: { fencing_token: 3 } });
  });

  it('needs the agent’s own key or an admin’s', async () => {
    const [one, other] = [await scene(), await scene()];
    const response = await gateway.post(`/v1/agents/${one.id}/claims`, {}, { key: other.key });
    expectError(response, 403, 'forbidden');
    expect((await gateway.post(`/v1/agents/${one.id}/claims`, {})).status).toBe(204);
    expectError(await gateway.post('/v1/agents/agt_unknown/claims', {}), 404, 'not_found');
  });

  it.each([
    [{ wait_seconds: 31 }, 'wait_seconds', 'max'],
    [{ wait_seconds: -1 }, 'wait_seconds', 'min'],
    [{ wait_seconds: 'soon' }, 'wait_seconds', 'type'],
    [{ wait: 1 }, 'wait', 'unknown_field'],
  ])('refuses %j', async (body, field, constraint) => {
    const { claim } = await scene();
    expectError(await claim(body), 400, 'invalid_input', { field, constraint });
  });
});

describe('the calls under a lease', () => {
  it('report progress, comment and completion, and the task shows them', async () => {
    const { id, addTask, claim, call, readTask, readAgent } = await scene();
    const task = await addTask();
    const { lease } = (await claim()).body;
    const milestones = [
      { name: 'written', completed: true },
      { name: 'tested', completed: false },
    ];
    const renewed = { expires_at: expect.stringMatching(/Z$/), directives: [] };
    const beat = await call(lease, 'heartbeat');
    expect([beat.status, beat.body]).toEqual([200, renewed]);
    const report = { percent_complete: 40, estimate_remaining: '1.5h', milestones, comment: 'Half way.' };
    expect((await call(lease, 'progress', report)).body).toEqual(renewed);
    expect(await readTask(task.id)).toMatchObject({
      status: 'in_progress',
      progress: { percent_complete: 40, estimate_remaining: '1.5h', milestones },
      activity: [
        { type: 'status_change', from: 'created', to: 'in_progress' },
        { type: 'comment', content: 'Half way.' },
      ],
    });
    const outcome = { summary: 'Done.', result: { sha: 'abc' }, scores: { code_quality: 90 } };
    const done = await call(lease, 'complete', outcome);
    expect([done.status, done.body]).toEqual([200, { expires_at: null, directives: [] }]);
    const shown = await readTask(task.id);
    expect(shown).toMatchObject({ status: 'completed', assigned_agent: id });
    expect(shown.progress).toEqual({
      percent_complete: 100,
      estimate_remaining: '0h',
      estimate_remaining_hours: 0,
      milestones,
    });
    expect(shown.activity.at(-1)).toMatchObject({ type: 'status_change', from: 'in_progress', to: 'completed' });
    expect(await readAgent()).toMatchObject({
      status: 'idle',
      current_tasks: [],
      stats: { tasks_completed: 1, avg_completion_time: '0h', code_quality_score: 90, code_quality: 90 },
    });
    expect((await call(lease, 'complete', outcome)).status).toBe(200);
    const other = await call(lease, 'complete', { summary: 'Another.' });
    expectError(other, 409, 'conflict', { field: 'lease_id', constraint: 'state' });
  });

  it('are 409 lease_lost with another token or after the lease ran out, and change nothing', async () => {
    const { addTask, claim, call, readTask } = await scene();
    const task = await addTask();
    const { lease } = (await claim()).body;
    const before = await readTask(task.id);
    const lost = { field: 'fencing_token', constraint: 'lease_lost' };
    const stale = { ...lease, fencing_token: lease.fencing_token + 1 };
    for (const verb of ['heartbeat', 'progress', 'complete'])
      expectError(await call(stale, verb), 409, 'conflict', lost);
    await call(lease, 'complete', {});
    for (const verb of ['heartbeat', 'progress']) expectError(await call(lease, verb), 409, 'conflict', lost);
    expect((await readTask(task.id)).activity).toHaveLength(before.activity.length + 1);
  });

  it('are 403 for another agent and 404 for an unknown lease', async () => {
    const [one, other] = [await scene(), await scene()];
    await one.addTask();
    const { lease } = (await one.claim()).body;
    for (const verb of ['heartbeat', 'progress', 'complete']) {
      expectError(await other.call(lease, verb), 403, 'forbidden');
      expectError(await one.call({ ...lease, lease_id: 'lse_none' }, verb), 404, 'not_found');
    }
  });

  it('refuse what is out of range, naming the field', async () => {
    const { addTask, claim, call } = await scene();
    await addTask();
    const { lease } = (await claim()).body;
    const cases: [string, object, string, string][] = [
      ['heartbeat', { fencing_token: null }, 'fencing_token', 'required'],
      ['heartbeat', { fencing_token: 0 }, 'fencing_token', 'min'],
      ['heartbeat', { fencing_token: 2 ** 53 }, 'fencing_token', 'max'],
      ['heartbeat', { fencing_token: '1' }, 'fencing_token', 'type'],
      ['progress', { percent_complete: 101 }, 'percent_complete', 'max'],
      ['progress', { percent_complete: 1.5 }, 'percent_complete', 'type'],
      ['progress', { estimate_remaining: 'soon' }, 'estimate_remaining', 'pattern'],
      ['progress', { milestones: [{ name: 'a' }] }, 'milestones.0.completed', 'required'],
      ['progress', { comment: ' ' }, 'comment', 'required'],
      ['complete', { scores: { code_quality: 101 } }, 'scores.code_quality', 'max'],
      ['complete', { artifacts: [{ kind: 'song' }] }, 'artifacts.0.kind', 'enum'],
      ['complete', { scores: { beauty: 1 } }, 'scores.beauty', 'unknown_field'],
    ];
    for (const [verb, body, field, constraint] of cases)
      expectError(await call(lease, verb, body), 400, 'invalid_input', { field, constraint });
  });
});
