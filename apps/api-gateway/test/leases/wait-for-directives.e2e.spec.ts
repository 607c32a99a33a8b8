import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();
const kindsOf = ({ directives }: Json) => directives.map(({ kind }: Json) => kind);

async function begin(agent: object = {}) {
  const scene = await openScene(gateway, agent);
  const { task, lease } = await scene.begin();
  const wait = (seconds = 50, ids: string[] = []) =>
    scene.call(lease, 'acknowledge', { wait_seconds: seconds, directive_ids: ids });
  const ask = async (): Promise<string> =>
    (await scene.call(lease, 'inputs', { kind: 'question', prompt: 'Which?' })).body.input.id;
  const send = (content: string) => gateway.post(`/v1/tasks/${task.id}/messages`, { content });
  return { ...scene, task, lease, wait, ask, send };
}
const answer = (input: string) => gateway.post(`/v1/inputs/${input}/answer`, { answer: 'This.' });
/** Long enough for the first poll of the call, unless the machine is busy; then the wait is shorter. */
const untilItWaits = () => new Promise((resolve) => setTimeout(resolve, 300));

describe('a call that waits for directives', () => {
  it('returns the answer of a person as soon as it is there, and the lease goes on', async () => {
    const { task, wait, ask, readTask } = await begin();
    const input = await ask();
    const waiting = wait();
    await untilItWaits();
    expect((await answer(input)).status).toBe(200);
    const { status, body } = await waiting;
    expect([status, body.directives]).toMatchObject([200, [{ kind: 'answer', input_id: input, answer: 'This.' }]]);
    expect([body.expires_at, (await readTask(task.id)).status]).toEqual([expect.any(String), 'in_progress']);
  });

  it('returns a message to the agent, and waits for the next one when that is acknowledged', async () => {
    const { wait, send } = await begin();
    const first = wait();
    await untilItWaits();
    await send('One.');
    const { directives } = (await first).body;
    expect(directives).toMatchObject([{ kind: 'message', content: 'One.' }]);
    const second = wait(50, [directives[0].id]);
    await untilItWaits();
    await send('Two.');
    expect((await second).body.directives).toMatchObject([{ kind: 'message', content: 'Two.' }]);
  });

  it('returns at once what is pending, and an empty list when nothing comes in time', async () => {
    const { wait, send } = await begin();
    const empty = await wait(1);
    expect([empty.status, empty.body.directives]).toEqual([200, []]);
    await send('Here.');
    expect(kindsOf((await wait()).body)).toEqual(['message']);
  });

  it('is 409 lease_lost with the reason when the task is cancelled during the wait', async () => {
    const { task, wait } = await begin();
    const waiting = wait();
    await untilItWaits();
    await gateway.send('DELETE', `/v1/tasks/${task.id}`);
    const response = await waiting;
    expectError(response, 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    expect(kindsOf(response.body.error)).toContain('cancel');
  });

  it('renews its lease while it waits', async () => {
    const { task, lease, wait, send } = await begin();
    const { db } = gateway.test.database;
    await db.query('UPDATE leases SET seconds = 15 WHERE task_id = $1', [task.id]);
    const endOf = async () => {
      const sql = 'SELECT expires_at AS end FROM leases WHERE task_id = $1';
      return (await db.query<{ end: Date }>(sql, [task.id]))[0]?.end.getTime() ?? 0;
    };
    const waiting = wait();
    await eventually(async () => (await endOf()) < Date.parse(lease.expires_at) - 30_000);
    const first = await endOf();
    await eventually(async () => (await endOf()) > first + 3_000);
    await send('Enough.');
    expect((await waiting).status).toBe(200);
  });

  it('holds no connection to the database', async () => {
    const { wait, send } = await begin();
    const waiting = wait();
    await untilItWaits();
    let isOver = false;
    void waiting.then(() => (isOver = true));
    // Other work of the gateway uses one for a moment.
    const { pool } = gateway.test.database;
    await eventually(() => pool().used === 0 && pool().waiting === 0);
    expect(isOver).toBe(false);
    await send('Enough.');
    expect((await waiting).status).toBe(200);
  });
});
