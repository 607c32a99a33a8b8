import { contextInTransaction, takePendingEvents } from '@eas/db';
import { advanceOnEvents } from '@eas/workflows';
import { expect } from '@jest/globals';
import type { ApiResponse, Gateway, Json } from '../gateway.ts';

let scenes = 0;

const owedSql = "SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = 'run.advance'";

/** Advances runs until no event is pending, as the orchestrator does. */
export async function advance(gateway: Gateway): Promise<void> {
  const ctx = gateway.test.context();
  for (;;) {
    const owed = await ctx.db.query<{ id: string }>(owedSql, [ctx.tenantId]);
    if (owed.length === 0) return;
    await ctx.inTransaction(async (tx) => {
      const ids = owed.map(({ id }) => id);
      await advanceOnEvents(contextInTransaction(ctx, tx), await takePendingEvents(tx, 'run.advance', ids));
    });
  }
}

/** A step of the role with the required fields only. */
export const step = (id: string, role: string, more: object = {}): Json => ({
  id,
  name: `Step ${id}`,
  role,
  task: { title: `${id} of {{run.name}}`, description: `Do ${id}.` },
  ...more,
});

/** An agent with a unique role, which works on the steps of runs over HTTP. */
export async function runScene(gateway: Gateway) {
  scenes += 1;
  const role = `runs-${scenes}`;
  const agent = await gateway.make('/v1/agents', { name: role, role, max_concurrent_tasks: 100 });
  const key = await gateway.makeKey(['agent:self'], { agentId: agent.id });

  const define = async (steps: Json[], more: object = {}): Promise<string> => {
    const body = { name: role, description: 'd', estimated_duration: '1 day', steps, ...more };
    return (await gateway.make('/v1/workflows', body)).id;
  };
  const start = (workflowId: string, body: object = {}): Promise<Json> =>
    gateway.make(`/v1/workflows/${workflowId}/start`, { name: 'Login', ...body });
  const read = async (run: Json): Promise<Json> => (await gateway.get(`/v1/runs/${run.workflow_run_id}`)).body;
  const steer = (run: Json, verb: string, body: object = {}, options: object = {}): Promise<ApiResponse> =>
    gateway.post(`/v1/runs/${run.workflow_run_id}/${verb}`, body, options);
  /** Claims whatever comes first, and ends it. */
  const finish = async (verb: 'complete' | 'fail', body: object = {}): Promise<Json> => {
    const claimed = await gateway.post(`/v1/agents/${agent.id}/claims`, {}, { key });
    expect(claimed.status).toBe(200);
    const { lease_id: leaseId, fencing_token: token } = claimed.body.lease;
    const ended = await gateway.post(`/v1/leases/${leaseId}/${verb}`, { fencing_token: token, ...body }, { key });
    expect(ended.status).toBe(200);
    await advance(gateway);
    return claimed.body.task;
  };
  return {
    role,
    agentId: agent.id as string,
    key,
    define,
    start,
    read,
    steer,
    work: (result: object = {}, body: object = {}) => finish('complete', { summary: 'Done.', result, ...body }),
    fail: () => finish('fail', { reason: 'No compiler.', retryable: false }),
    /** Whether there is anything for the agent to do. */
    hasWork: async () => {
      const tasks = await gateway.get(`/v1/tasks?assigned_role=${role}&limit=100`);
      return tasks.body.data.some(({ status }: Json) => status === 'created' || status === 'open');
    },
    /** The steps' statuses by their ids in the definition. */
    statuses: async (run: Json): Promise<Record<string, string>> =>
      Object.fromEntries((await read(run)).steps.map(({ key, status }: Json) => [key, status])),
    stepOf: async (run: Json, key: string): Promise<Json> =>
      (await read(run)).steps.find((one: Json) => one.key === key),
    decide: async (run: Json, key: string, decision: string, body: object = {}): Promise<ApiResponse> => {
      const { id } = (await read(run)).steps.find((one: Json) => one.key === key);
      const response = await steer(run, `steps/${id}/${decision}`, body);
      await advance(gateway);
      return response;
    },
  };
}
