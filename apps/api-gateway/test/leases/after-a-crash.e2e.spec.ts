import { sweepExpiredLeases } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();
const lost = { field: 'fencing_token', constraint: 'lease_lost' };
const limit = { field: 'agent_id', constraint: 'limit' };

/** An agent with its own key, and its first calls after a crash. */
async function restartable(agent: object = {}) {
  const scene = await openScene(gateway, agent);
  const ownLeases = async (): Promise<Json[]> =>
    (await gateway.get('/v1/agents/me/leases', { key: scene.key })).body.leases;
  return { ...scene, ownLeases };
}

async function expire({ lease_id: id }: Json): Promise<void> {
  const sql = "UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1";
  await gateway.test.database.db.query(sql, [id]);
}

describe('the leases of an agent', () => {
  it('are shown to it with their tokens, in /me too, those that wait for a person last', async () => {
    const { begin, call, key, ownLeases } = await restartable({ max_concurrent_tasks: 2 });
    const [one, other] = [await begin(), await begin()];
    await call(one.lease, 'inputs', { kind: 'question', prompt: 'Which?' });
    const leases = await ownLeases();
    expect(leases).toEqual([
      { task: { id: other.task.id, title: 'Work', status: 'in_progress' }, lease: other.lease },
      { task: { id: one.task.id, title: 'Work', status: 'blocked' }, lease: { ...one.lease, expires_at: null } },
    ]);
    const me = await gateway.get('/v1/agents/me', { key });
    expect(me.body).toMatchObject({ active_tasks: 1, leases, leases_truncated: false });
  });

  it('are only those that live', async () => {
    const { begin, call, ownLeases } = await restartable();
    const { lease } = await begin();
    await expire(lease);
    expect(await ownLeases()).toEqual([]);
    await sweepExpiredLeases(gateway.test.database);
    await call((await begin()).lease, 'complete');
    expect(await ownLeases()).toEqual([]);
  });

  it('are for its own key: those of others are not shown, nor to a key of no agent', async () => {
    const [one, other] = [await restartable(), await restartable()];
    await one.begin();
    expect(await other.ownLeases()).toEqual([]);
    expectError(await gateway.get('/v1/agents/me/leases'), 404, 'not_found');
    const { body } = await gateway.get(`/v1/agents/${one.id}`);
    expect(JSON.stringify(body)).not.toContain('fencing_token');
  });
});

describe('a claim of an agent that holds its maximum', () => {
  it('is 409 with the leases, and without their tokens', async () => {
    const { begin, claim } = await restartable();
    const { task, lease } = await begin();
    const refused = await claim();
    expectError(refused, 409, 'conflict', limit);
    expect(refused.body.error.leases).toEqual([{ lease_id: lease.lease_id, task_id: task.id }]);
    expect(refused.body.error.message).toContain('/v1/agents/me/leases');
  });

  it('waits as long as it was asked to, and is 409 then', async () => {
    const { begin, claim } = await restartable();
    await begin();
    const startedAt = performance.now();
    expectError(await claim({ wait_seconds: 1 }), 409, 'conflict', limit);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it('gets a task once a lease of the crashed process has run out', async () => {
    const { begin, addTask, claim } = await restartable();
    const { lease } = await begin();
    const next = await addTask();
    const waiting = claim({ wait_seconds: 30 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await expire(lease);
    await sweepExpiredLeases(gateway.test.database);
    expect((await waiting).body.task.id).toBe(next.id);
  });
});

describe('a lease that is resumed', () => {
  it('gives what a claim gives, with a new token; the old one is lost', async () => {
    const { begin, call, readTask, ownLeases } = await restartable();
    const { task, lease, body: claimed } = await begin();
    await call(lease, 'checkpoint', { data: { branch: 'fix' } });
    await gateway.post(`/v1/tasks/${task.id}/messages`, { content: 'Mind the API.' });
    const { status, body } = await call(lease, 'resume');
    expect(status).toBe(200);
    expect(body.lease).toMatchObject({ lease_id: lease.lease_id, fencing_token: lease.fencing_token + 1 });
    expect(body.context).toEqual({ ...claimed.context, checkpoint: { branch: 'fix' } });
    expect(body.directives).toMatchObject([{ kind: 'message', content: 'Mind the API.' }]);
    expect(body.task).toMatchObject({ id: task.id, status: 'in_progress' });
    expect((await ownLeases())[0]?.lease.fencing_token).toBe(body.lease.fencing_token);
    for (const verb of ['heartbeat', 'complete', 'resume']) expectError(await call(lease, verb), 409, 'conflict', lost);
    expect((await call(body.lease, 'complete')).status).toBe(200);
    expect((await readTask(task.id)).status).toBe('completed');
  });

  it('is resumed by one of two processes that start again at once', async () => {
    const { begin, call } = await restartable();
    const { lease } = await begin();
    const responses = await Promise.all([call(lease, 'resume'), call(lease, 'resume')]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('is not returned again for the key of its claim, which the previous process may repeat', async () => {
    const { addTask, claim, call } = await restartable({ max_concurrent_tasks: 2 });
    await addTask();
    const key = { 'idempotency-key': 'k' };
    const { lease } = (await claim({}, key)).body;
    await call(lease, 'resume');
    expect((await claim({}, key)).status).toBe(204);
  });

  it('is refused while it waits for a person, and goes on after the answer', async () => {
    const { begin, call } = await restartable();
    const { lease } = await begin();
    const { input } = (await call(lease, 'inputs', { kind: 'question', prompt: 'Which?' })).body;
    expectError(await call(lease, 'resume'), 409, 'conflict', { field: 'lease_id', constraint: 'state' });
    await gateway.post(`/v1/inputs/${input.id}/answer`, { answer: 'This.' });
    const { body } = await call(lease, 'resume');
    expect(body.context.answers).toMatchObject([{ answer: 'This.' }]);
    expect((await call(body.lease, 'complete')).status).toBe(200);
  });
});
