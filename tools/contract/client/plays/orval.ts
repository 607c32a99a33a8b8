// The five things that every generated client must do: create, claim, complete, page, webhook.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claimTask, completeLease, createAgent, createTask, createWebhook, getTask, listTasks } from './client/eas.ts';

const { CONTRACT_API_KEY: apiKey = '' } = process.env;
const options = { headers: { 'X-API-Key': apiKey } };

async function play(): Promise<void> {
  const role = `play-${randomUUID().slice(0, 8)}`;
  const agent = await createAgent({ name: 'Ada', role }, options);
  assert.ok(agent.status === 201);
  for (const title of ['One', 'Two'])
    assert.equal((await createTask({ title, description: 'Play.', assigned_role: role }, options)).status, 201);

  const claim = await claimTask(agent.data.id, { wait_seconds: 30 }, options);
  assert.ok(claim.status === 200);
  const { lease_id, fencing_token } = claim.data.lease;
  assert.equal((await completeLease(lease_id, { fencing_token, summary: 'Done.' }, options)).status, 200);
  const read = await getTask(claim.data.task.id, options);
  assert.ok(read.status === 200);
  assert.equal(read.data.status, 'completed');

  const first = await listTasks({ assigned_role: role, after: '', limit: 1 }, options);
  assert.ok(first.status === 200 && 'pagination' in first.data);
  const after = first.data.pagination.next_cursor ?? '';
  const second = await listTasks({ assigned_role: role, after, limit: 1 }, options);
  assert.ok(second.status === 200);
  assert.equal(new Set([...first.data.data, ...second.data.data].map(({ id }) => id)).size, 2);

  const hook = await createWebhook({ url: 'https://example.com/hooks', events: ['task.completed'] }, options);
  assert.ok(hook.status === 201);
  assert.match(hook.data.secret ?? '', /^whsec_/);
}

void play();
