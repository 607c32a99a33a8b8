import type { ClaimResult, RunDetail, RunStepDetail, WorkflowDefinition } from '@eas/contracts';
import { newId } from '@eas/core';
import { contextInTransaction, type Database, takePendingEvents, type UseCaseContext } from '@eas/db';
import {
  completeTask,
  createAgent,
  createWaitingClaims,
  failTask,
  releaseTask,
  sweepExpiredLeases,
  waitForClaim,
} from '@eas/tasks';
import { ignoredSightings } from '@eas/testing';
import { readDefinition } from '../src/definitions/read-definition.ts';
import { advanceOnEvents, createWorkflow, getRun, startRun, sweepDueSteps } from '../src/index.ts';

/** What a scene needs of the test kit. */
export type TestDatabase = {
  readonly database: Database;
  context(options?: { tenantId?: string; actor?: { id: string; isAdmin?: boolean } }): UseCaseContext;
  createTenant(): Promise<string>;
};

type StepInput = { id: string; needs?: string[]; [more: string]: unknown };

const task = { title: 'Do {{run.name}}', description: 'd' };

/** A definition with what all of them need. */
export const definitionOf = (steps: readonly StepInput[], more: Record<string, unknown> = {}) =>
  readDefinition({
    name: 'w',
    description: 'd',
    estimated_duration: '1 day',
    ...more,
    steps: steps.map((step) => ({ name: step.id, role: 'rd', task, ...step })),
  });

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** A tenant with one agent that does everything and one that reviews it, and the tools to let runs of a workflow happen by hand. */
export async function openScene(test: TestDatabase, definition: WorkflowDefinition | readonly StepInput[]) {
  const tenantId = await test.createTenant();
  const actor = { id: newId('apiKey'), isAdmin: true };
  const ctx = { ...test.context({ tenantId, actor }), leaseSeconds: 600 };
  const system = test.context({ tenantId });
  const agent = await createAgent(ctx, { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 50 });
  const reviewer = await createAgent(ctx, { name: 'Quinn', role: 'qa', capabilities: [], max_concurrent_tasks: 50 });
  const workflow = (await createWorkflow(ctx, 'steps' in definition ? definition : definitionOf(definition))).body;
  const waitingClaims = createWaitingClaims(test.database.listener, new AbortController().signal, ignoredSightings);
  const leases = new Map<string, { leaseId: string; body: { fencing_token: number } }>();

  const start = async (parameters: Record<string, unknown> = {}): Promise<string> =>
    (await startRun(ctx, { workflowId: workflow.id, body: { name: 'r', parameters } })).workflow_run_id;
  const read = async (runId: string): Promise<RunDetail> => (await getRun(ctx, runId)).body;
  const stepOf = (run: RunDetail, key: string): RunStepDetail => {
    const step = run.steps.find((one) => one.key === key);
    if (!step) throw new Error(`no step ${key}`);
    return step;
  };

  const claimNext = (agentId: string) => waitForClaim(ctx, waitingClaims, { agentId, waitMs: 0 });

  /** Claims everything that the agent may claim; what it is called by later is the task's id unless given. */
  async function claimAll(agentId = agent.id, nameOf: (task: ClaimResult['task']) => string = ({ id }) => id) {
    for (;;) {
      const claim = await claimNext(agentId);
      if (!claim) return;
      const { lease, task: claimed } = claim.body;
      const body = { fencing_token: lease.fencing_token };
      leases.set(nameOf(claimed), { leaseId: lease.lease_id, body });
    }
  }

  /** A call under the lease that was got; it is over then. */
  function takeLease(name: string) {
    const call = leases.get(name);
    if (!call) throw new Error(`nothing could be claimed for ${name}`);
    leases.delete(name);
    return call;
  }

  /** The lease under which the task of a step is worked on. */
  async function leaseOf(runId: string, key: string) {
    const { task_id: taskId } = stepOf(await read(runId), key);
    if (!leases.has(taskId ?? '')) await claimAll();
    return takeLease(taskId ?? '');
  }

  const completeLease = (call: Awaited<ReturnType<typeof leaseOf>>, result: Record<string, unknown> = {}) =>
    completeTask(ctx, { ...call, body: { ...call.body, result } });
  const complete = async (runId: string, key: string, result: Record<string, unknown> = {}) =>
    completeLease(await leaseOf(runId, key), result);
  const fail = async (runId: string, key: string, { retryable = false } = {}) => {
    const call = await leaseOf(runId, key);
    await failTask(ctx, { ...call, body: { ...call.body, reason: 'it broke', retryable, retry_after_seconds: 0 } });
  };
  /** Its agent is silent from now on. */
  const vanish = async (runId: string, key: string) => {
    const { leaseId } = await leaseOf(runId, key);
    const sql = `UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE tenant_id = $1 AND id = $2`;
    await ctx.db.query(sql, [tenantId, leaseId]);
    await sweepExpiredLeases(test.database);
  };
  const release = async (runId: string, key: string) => {
    const call = await leaseOf(runId, key);
    await releaseTask(ctx, { ...call, body: { ...call.body, not_before_seconds: 0 } });
  };

  /** The reviewer decides by the task that asks it to. */
  const reviewAsAgent = async (taskId: string, decision: 'approve' | 'reject') => {
    await claimAll(reviewer.id, ({ metadata }) => String(metadata['review_of']));
    const call = takeLease(taskId);
    await completeTask(ctx, { ...call, body: { ...call.body, result: { decision } } });
  };

  /** The events that the engine has not consumed, with their runs. */
  const readPending = () =>
    system.db.query<{ eventId: string; runId: string }>(
      `SELECT o.event_id AS "eventId", e.facts ->> 'run_id' AS "runId"
       FROM outbox o JOIN events e ON e.tenant_id = o.tenant_id AND e.event_id = o.event_id
       WHERE o.tenant_id = $1 AND o.consumer = 'run.advance' ORDER BY o.event_id`,
      [tenantId],
    );
  /** Processes events as the consumer does. */
  const consume = (eventIds: readonly string[]) =>
    system.inTransaction(async (tx) => {
      const events = await takePendingEvents(tx, 'run.advance', eventIds);
      await advanceOnEvents(contextInTransaction(system, tx), events);
    });
  const deliver = async () => consume((await readPending()).map(({ eventId }) => eventId));
  /** The time of every step of a run is up. */
  const elapse = (runId: string) =>
    ctx.db.query(
      `UPDATE run_steps SET due_at = app_now() - interval '1 s' WHERE tenant_id = $1 AND run_id = $2 AND due_at IS NOT NULL`,
      [tenantId, runId],
    );
  const sweep = () => sweepDueSteps(test.database.db, (id) => test.context({ tenantId: id }));

  return {
    ctx,
    system,
    agent,
    workflow,
    start,
    read,
    stepOf,
    leaseOf,
    completeLease,
    complete,
    fail,
    vanish,
    release,
    reviewAsAgent,
    claimNext,
    readPending,
    consume,
    deliver,
    elapse,
    sweep,
  };
}

/** Everything that is written down of a run, to see whether something has changed it. */
export async function everythingOf({ ctx }: Pick<Scene, 'ctx'>) {
  const rows = (table: string, order: string) =>
    ctx.db.query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE tenant_id = $1 ORDER BY ${order}`, [
      ctx.tenantId,
    ]);
  return {
    runs: await rows('workflow_runs', 'id'),
    steps: await rows('run_steps', 'run_id, key'),
    timeline: await rows('run_timeline', 'run_id, seq'),
    tasks: await rows('tasks', 'id'),
    events: await rows('events', 'event_id'),
  };
}
