import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchAgent } from '../harness/work-task.ts';
import { type Call, createBalancedClient, type Reply } from './balanced-client.ts';
import type { Journal, MixedLoadTask } from './mixed-load.ts';

/** An agent asks again after so long without a task. */
const waitSeconds = 2;

type Send = (call: Call) => Promise<Reply | undefined>;
type Load = MixedLoadTask & { journal: Journal; toGateway: Send; toReceiver: Send };

const keyed = (apiKey: string) => ({ 'x-api-key': apiKey, 'idempotency-key': randomUUID() });

async function createTask({ apiKey, toGateway, journal }: Load): Promise<void> {
  const name = `task ${randomUUID()}`;
  const body = { title: name, description: 'Made while things fail.' };
  const reply = await toGateway({ method: 'POST', path: '/v1/tasks', headers: keyed(apiKey), body });
  if (note(journal, reply, 201)) journal.tasks.push({ id: String(reply.body['id']), name });
}

async function startRun({ apiKey, workflowId, toGateway, journal }: Load): Promise<void> {
  const name = `run ${randomUUID()}`;
  const path = `/v1/workflows/${workflowId}/start`;
  const reply = await toGateway({ method: 'POST', path, headers: keyed(apiKey), body: { name, parameters: {} } });
  if (note(journal, reply, 201)) journal.runs.push({ id: String(reply.body['workflow_run_id']), name });
}

async function receiveEvent({ integration, toReceiver, journal }: Load): Promise<void> {
  const id = randomUUID();
  const body = {
    event: 'taskCreated',
    task_id: id,
    webhook_id: integration.webhookId,
    data: { name: `receipt ${id}` },
  };
  const signature = createHmac('sha256', integration.secret).update(JSON.stringify(body)).digest('hex');
  const headers = { 'x-signature': signature };
  const reply = await toReceiver({ method: 'POST', path: '/webhook/taskplatform', headers, body });
  if (note(journal, reply, 200)) journal.receipts.push(id);
}

async function readTasks({ apiKey, toGateway, journal }: Load): Promise<void> {
  const path = '/v1/tasks?limit=20';
  note(journal, await toGateway({ method: 'GET', path, headers: { 'x-api-key': apiKey } }), 200);
}

const acts = [createTask, receiveEvent, createTask, readTasks, receiveEvent, readTasks, createTask, startRun] as const;

/** Counts what is neither expected nor given up. */
function note(journal: Journal, reply: Reply | undefined, ...expected: number[]): reply is Reply {
  if (!reply) return false;
  if (expected.includes(reply.status)) return true;
  const refusal = `${reply.status} ${String((reply.body['error'] as { code?: unknown } | undefined)?.code)}`;
  journal.refusals[refusal] = (journal.refusals[refusal] ?? 0) + 1;
  return false;
}

/** Claims, reports and completes, one task after another. */
async function beAgent({ journal, toGateway }: Load, { id, key }: BenchAgent): Promise<never> {
  const post = (path: string, body: object) => toGateway({ method: 'POST', path, headers: keyed(key), body });
  for (;;) {
    const claimed = await post(`/v1/agents/${id}/claims`, { wait_seconds: waitSeconds });
    if (!note(journal, claimed, 200, 204) || claimed.status === 204) continue;
    const { task, lease } = claimed.body as {
      task: { id: string };
      lease: { lease_id: string; fencing_token: number };
    };
    const path = `/v1/leases/${lease.lease_id}`;
    const token = { fencing_token: lease.fencing_token };
    note(journal, await post(`${path}/progress`, { ...token, percent_complete: 50 }), 200);
    const completed = await post(`${path}/complete`, { ...token, summary: 'done', result: { ok: true } });
    if (note(journal, completed, 200)) journal.completions.push({ taskId: task.id, agentId: id });
  }
}

async function makeWork(load: Load, isOver: () => boolean): Promise<void> {
  const startedAt = performance.now();
  for (let number = 0; !isOver(); number += 1) {
    const waitMs = startedAt + (number * 1_000) / load.perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    void acts[number % acts.length]?.(load);
  }
}

process.once('disconnect', () => process.exit(0));
process.once('message', (task: MixedLoadTask) => {
  const journal: Journal = {
    tasks: [],
    runs: [],
    receipts: [],
    completions: [],
    requests: 0,
    errors: {},
    refusals: {},
    givenUp: 0,
  };
  const toGateway = createBalancedClient(task.gateways, journal);
  const load = { ...task, journal, toGateway, toReceiver: createBalancedClient(task.receivers, journal) };
  let isOver = false;
  process.on('message', (asked: 'journal' | 'stop') => {
    if (asked === 'stop') isOver = true;
    else process.send?.(journal);
  });
  void makeWork(load, () => isOver);
  for (const agent of task.agents) void beAgent(load, agent);
});
