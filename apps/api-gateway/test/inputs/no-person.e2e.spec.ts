// An agent whose key may change tasks is still an agent.
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { runScene, step } from '../runs/run-scene.ts';
import { agentScene } from './agent-scene.ts';

const gateway = useGateway();

/** The agent with a key of its own that may do more than work. */
async function mightyAgent() {
  const scene = await agentScene(gateway);
  const key = await gateway.makeKey(['agent:self', 'tasks:read', 'tasks:write', 'workflows:run'], {
    agentId: scene.id,
  });
  const send = (method: string, path: string, body: object) =>
    gateway.send(method, path, JSON.stringify(body), { key });
  return { ...scene, send };
}

async function expectRefused(call: () => Promise<{ status: number; body: Json }>) {
  const before = await gateway.rows();
  expectError((await call()) as never, 403, 'forbidden');
  expect(await gateway.rows()).toEqual(before);
}

describe('an agent', () => {
  it('approves, rejects and completes no work that waits for a person', async () => {
    const { hold, call, send, readTask } = await mightyAgent();
    const { task, lease } = await hold({ contract: { review: { person: true } } });
    await expectRefused(() => send('PATCH', `/v1/tasks/${task.id}`, { status: 'completed' }));
    expect((await call(lease, 'complete', { summary: 'Done.' })).status).toBe(200);
    for (const decision of ['approve', 'reject'])
      await expectRefused(() => send('POST', `/v1/tasks/${task.id}/${decision}`, {}));
    await expectRefused(() => send('PATCH', `/v1/tasks/${task.id}`, { status: 'completed' }));
    expect((await readTask(task.id)).status).toBe('in_review');
    // Of another agent neither.
    const other = await mightyAgent();
    await expectRefused(() => other.send('POST', `/v1/tasks/${task.id}/approve`, {}));
    expect((await gateway.post(`/v1/tasks/${task.id}/approve`, {})).status).toBe(200);
  });

  it('answers no approval, and no question of its own, but those of others', async () => {
    const asking = await mightyAgent();
    const other = await mightyAgent();
    const { lease } = await asking.hold();
    const asked = async (body: object): Promise<Json> => {
      const response = await asking.ask(lease, body);
      expect(response.status).toBe(201);
      return response.body.input;
    };
    const [question, approval] = [await asked({ blocking: false }), await asked({ kind: 'approval', blocking: false })];
    const answer = (scene: typeof asking, { id }: Json, body: object) =>
      scene.send('POST', `/v1/inputs/${id}/answer`, body);
    for (const scene of [asking, other]) await expectRefused(() => answer(scene, approval, { decision: 'approve' }));
    await expectRefused(() => answer(asking, question, { answer: 'This one.' }));
    expect((await answer(other, question, { answer: 'This one.' })).status).toBe(200);
    expect((await gateway.post(`/v1/inputs/${approval.id}/answer`, { decision: 'approve' })).status).toBe(200);
  });

  it('approves no step of a run', async () => {
    const { role, agentId, define, start, work, stepOf } = await runScene(gateway);
    const key = await gateway.makeKey(['workflows:run'], { agentId });
    const run = await start(await define([step('plan', role, { approval: { person: true } })]));
    await work();
    const { id, status } = await stepOf(run, 'plan');
    expect(status).toBe('awaiting_approval');
    const path = `/v1/runs/${run.workflow_run_id}/steps/${id}/approve`;
    await expectRefused(() => gateway.post(path, {}, { key }));
    expect((await gateway.post(path, {})).status).toBe(200);
  });
});
