// The walk of the README with the generated SDK: an agent gets a task, works on it and completes it.
import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createClient } from '../../tmp/sdk/client/index.ts';
import {
  type Agent,
  type Claim,
  claimTask,
  completeLease,
  createAgent,
  createAgentKey,
  createTask,
  createWebhook,
  getTask,
  listEvents,
  listTasks,
  reportProgress,
  type Task,
  type TaskDetail,
} from '../../tmp/sdk/index.ts';

const { CONTRACT_BASE_URL: baseUrl = '', CONTRACT_API_KEY: apiKey = '' } = process.env;
const clientWith = (key: string) => createClient({ baseUrl, headers: { 'X-API-Key': key }, throwOnError: true });
const throwOnError = true as const;

it('an agent gets a task, reports progress and completes it', async () => {
  const role = `sdk-${randomUUID().slice(0, 8)}`;
  const admin = { client: clientWith(apiKey), throwOnError };
  const agent: Agent = (await createAgent({ ...admin, body: { name: 'Ada', role } })).data;
  const path = { agent_id: agent.id };
  const { data: made } = await createAgentKey({ ...admin, path, body: { name: 'of Ada' } });

  const body = { title: 'Limit login attempts', description: 'Five a minute, then 429.', assigned_role: role };
  const task: Task = (await createTask({ ...admin, body })).data;
  const worker = { client: clientWith(made.key), throwOnError };
  const { data } = await claimTask({ ...worker, path, body: { wait_seconds: 30 } });
  const claim = data as Claim;
  assert.equal(claim.task.id, task.id);

  const { lease_id, fencing_token } = claim.lease;
  const lease = { ...worker, path: { lease_id } };
  await reportProgress({ ...lease, body: { fencing_token, percent_complete: 60, comment: 'The counter is in.' } });
  await completeLease({ ...lease, body: { fencing_token, summary: 'Limited.' } });
  const read: TaskDetail = (await getTask({ ...admin, path: { task_id: task.id } })).data;
  assert.deepEqual([read.status, read.progress.percent_complete], ['completed', 100]);
  const { data: page } = await listTasks({ ...admin, query: { assigned_role: role, after: '', limit: 1 } });
  assert.ok('pagination' in page);
  assert.deepEqual([page.data.map(({ id }) => id), page.pagination.has_more], [[task.id], false]);
  const subscription = { url: 'https://example.com/hooks', events: ['task.completed' as const] };
  assert.match((await createWebhook({ ...admin, body: subscription })).data.secret ?? '', /^whsec_/);
  const { data: events } = await listEvents({ ...admin, query: { limit: 100 } });
  assert.ok(events.data.length > 0);
  const late = await completeLease({
    client: worker.client,
    throwOnError: false,
    path: { lease_id },
    body: { fencing_token },
  });
  assert.equal(late.error?.error.code, 'conflict');
});
