import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchAgent } from '../../harness/work-task.ts';
import { type Call, constraintOf, createBalancedClient, type Reply } from './balanced-client.ts';
import type { Counts, Journal, MixedLoadTask } from './mixed-load.ts';

/** An agent asks again after so long without a task. */
const waitSeconds = 2;

type Send = (call: Call) => Promise<Reply | undefined>;
type Load = MixedLoadTask & { journal: Journal; counts: Counts; toGateway: Send; toReceiver: Send };

const keyed = (apiKey: string) => ({ 'x-api-key': apiKey, 'idempotency-key': randomUUID() });

async function createTask({ apiKey, toGateway, journal, counts }: Load): Promise<void> {
  const name = `task ${randomUUID()}`;
  const body = { title: name, description: 'Made while things fail.' };
  const reply = await toGateway({ method: 'POST', path: '/v1/tasks', headers: keyed(apiKey), body });
  if (isAccepted(counts, reply, 201)) journal.tasks.push({ id: String(reply.body['id']), name });
}

async function startRun({ apiKey, workflowId, toGateway, journal, counts }: Load): Promise<void> {
  const name = `run ${randomUUID()}`;
  const path = `/v1/workflows/${workflowId}/start`;
  const reply = await toGateway({ method: 'POST', path, headers: keyed(apiKey), body: { name, parameters: {} } });
  if (isAccepted(counts, reply, 201)) journal.runs.push({ id: String(reply.body['workflow_run_id']), name });
}

async function receiveEvent({ integration, toReceiver, journal, counts }: Load): Promise<void> {
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
  if (isAccepted(counts, reply, 200)) journal.receipts.push(id);
}

async function readTasks({ apiKey, toGateway, counts }: Load): Promise<void> {
  const path = '/v1/tasks?limit=20';
  isAccepted(counts, await toGateway({ method: 'GET', path, headers: { 'x-api-key': apiKey } }), 200);
}

const acts = [createTask, receiveEvent, createTask, readTasks, receiveEvent, readTasks, createTask, startRun] as const;

/** Counts a response that is not expected. */
function isAccepted({ refusals }: Counts, reply: Reply | undefined, ...expected: number[]): reply is Reply {
  if (!reply) return false;
  if (expected.includes(reply.status)) return true;
  const { code } = (reply.body['error'] ?? {}) as { code?: unknown };
  const refusal = `${reply.status} ${constraintOf(reply) ?? String(code)}`;
  refusals[refusal] = (refusals[refusal] ?? 0) + 1;
  return false;
}

type Claimed = { task: { id: string }; lease: { lease_id: string; fencing_token: number } };

/** Claims, reports and completes, one task after another. */
async function beAgent({ journal, counts, toGateway }: Load, { id, key }: BenchAgent): Promise<never> {
  const post = (path: string, body: object) => toGateway({ method: 'POST', path, headers: keyed(key), body });
  for (;;) {
    const reply = await post(`/v1/agents/${id}/claims`, { wait_seconds: waitSeconds });
    if (!isAccepted(counts, reply, 200, 204) || reply.status === 204) continue;
    const { task, lease } = reply.body as Claimed;
    const [taskId, token] = [task.id, lease.fencing_token];
    journal.claims.push({ leaseId: lease.lease_id, taskId, agentId: id, token, answeredAt: performance.now() });
    /** Gives when it was sent, if it was accepted. */
    const report = async (call: string, body: object): Promise<number | undefined> => {
      const sentAt = performance.now();
      const reply = await post(`/v1/leases/${lease.lease_id}/${call}`, { fencing_token: token, ...body });
      return isAccepted(counts, reply, 200) ? sentAt : undefined;
    };
    const milestone = randomUUID();
    const milestones = [{ name: milestone, completed: true }];
    const reportedAt = await report('progress', { percent_complete: 50, milestones });
    if (reportedAt !== undefined) journal.progress.push({ taskId, token, sentAt: reportedAt, milestone });
    const [summary, mark] = [`done ${randomUUID()}`, randomUUID()];
    const sentAt = await report('complete', { summary, result: { mark } });
    if (sentAt === undefined) continue;
    counts.completions += 1;
    journal.completions.push({ taskId, token, sentAt, agentId: id, summary, mark });
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
  const journal: Journal = { tasks: [], runs: [], receipts: [], claims: [], progress: [], completions: [] };
  const counts: Counts = { requests: 0, completions: 0, errors: {}, refusals: {}, givenUp: 0 };
  const toGateway = createBalancedClient(task.gateways, counts);
  const toReceiver = createBalancedClient(task.receivers, counts);
  const load = { ...task, journal, counts, toGateway, toReceiver };
  let isOver = false;
  process.on('message', (asked: 'journal' | 'counts' | 'stop') => {
    if (asked === 'stop') isOver = true;
    else process.send?.(asked === 'journal' ? journal : counts);
  });
  void makeWork(load, () => isOver);
  for (const agent of task.agents) void beAgent(load, agent);
});
