import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimFor, createPatientClient, type PatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';

const test = useTestDatabase();
/** Long enough for an agent to ask, however busy the machine is; the clock ends it. */
const leaseSeconds = 300;
let system: System;
let client: PatientClient;
let chat: WebhookSink;

beforeAll(async () => {
  chat = await startWebhookSink();
  chat.respondWith({ status: 200, body: '{"ok":true,"channel":"C1","ts":"1700000000.000100"}' });
  system = await startSystem({
    DATABASE_URL: test.url,
    REDIS_URL: ownRedisDatabase(11),
    CHAT_API_URL: chat.url,
    LEASE_SECONDS: String(leaseSeconds),
  });
  client = createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey });
  const body = { type: 'slack', workspace_name: 'acme', token: 'xoxb', channels: ['C1'], events: ['task.blocked'] };
  expect((await client.post('/v1/integrations', { ...body, signing_secret: 'a secret of the chat' })).status).toBe(201);
});
afterAll(async () => {
  await system?.stop();
  await chat?.close();
});

/** Has an agent of the role ask about what it claims, and waits for the message. */
async function ask(role: string, prompt: string, blocking = true) {
  const agent = (await client.post('/v1/agents', { name: 'Ada', role })).body;
  const { task, lease } = await claimFor(client, agent.id);
  const question = { kind: 'choice', prompt, options: ['a', 'b'], blocking, fencing_token: lease.fencing_token };
  expect((await client.post(`/v1/leases/${lease.lease_id}/inputs`, question)).status).toBe(201);
  await message('/chat.postMessage', prompt);
  return task;
}

const message = async (path: string, prompt: string): Promise<string> => {
  const request = await chat.waitFor((one) => one.path === path && one.body.toString().includes(prompt));
  return request.body.toString();
};

/** Its message says why it is not to be answered any more. */
async function expectCancelled(prompt: string, why: string): Promise<void> {
  const shown = await message('/chat.update', prompt);
  expect(shown).toContain(`This question was cancelled: ${why}.`);
  expect(shown).not.toContain('"actions"');
}

describe(`a posted question of an agent, with queues on ${queueBackEnd.kind}`, () => {
  it('loses its buttons and says why when its task is cancelled, its run is cancelled, or its agent goes away', async () => {
    const { id: cancelled } = (await client.post('/v1/tasks', { title: 'One', description: 'x', assigned_role: 'one' }))
      .body;
    await ask('one', 'First question');
    await client.delete(`/v1/tasks/${cancelled}`);
    await expectCancelled('First question', 'the task was cancelled');

    const steps = [{ id: 'build', name: 'Build', role: 'two', task: { title: 'Build', description: 'x' } }];
    const definition = { name: 'Two', description: 'x', estimated_duration: '1 hour', steps };
    const workflow = (await client.post('/v1/workflows', definition)).body;
    const run = (await client.post(`/v1/workflows/${workflow.id}/start`, { name: 'Two' })).body;
    await ask('two', 'Second question');
    await client.post(`/v1/runs/${run.workflow_run_id}/cancel`);
    await expectCancelled('Second question', 'the task was cancelled');

    await client.post('/v1/tasks', { title: 'Three', description: 'x', assigned_role: 'three' });
    await ask('three', 'Third question', false);
    await test.shiftClock(leaseSeconds + 1);
    await expectCancelled('Third question', 'the lease was not renewed in time');
    await eventually(async () => (await client.get('/v1/inputs?status=pending')).body.data.length === 0);
  });
});
