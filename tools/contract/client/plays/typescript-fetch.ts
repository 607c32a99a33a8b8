// The five things that every generated client must do: create, claim, complete, page, webhook.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AgentProtocolApi, AgentsApi, Configuration, TasksApi, WebhooksApi } from './client/src/index';

const { CONTRACT_BASE_URL: basePath = '', CONTRACT_API_KEY: apiKey = '' } = process.env;
const settings = new Configuration({ basePath, apiKey });
const tasks = new TasksApi(settings);
const protocol = new AgentProtocolApi(settings);

async function play(): Promise<void> {
  const role = `play-${randomUUID().slice(0, 8)}`;
  const agent = await new AgentsApi(settings).createAgent({ createAgent: { name: 'Ada', role } });
  for (const title of ['One', 'Two'])
    await tasks.createTask({ createTask: { title, description: 'Play.', assignedRole: role } });

  const claim = await protocol.claimTask({ agentId: agent.id, claimRequest: { waitSeconds: 30 } });
  assert.ok(claim);
  const { leaseId, fencingToken } = claim.lease;
  await protocol.completeLease({ leaseId, completeRequest: { fencingToken, summary: 'Done.' } });
  const read = await tasks.getTask({ taskId: claim.task.id });
  assert.equal(read.status, 'completed');

  const first = await tasks.listTasks({ assignedRole: role, after: '', limit: 1 });
  const after = first.pagination.nextCursor ?? '';
  const second = await tasks.listTasks({ assignedRole: role, after, limit: 1 });
  assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 2);

  const createWebhook = { url: 'https://example.com/hooks', events: ['task.completed' as const] };
  const hook = await new WebhooksApi(settings).createWebhook({ createWebhook });
  assert.match(hook.secret ?? '', /^whsec_/);
}

void play();
