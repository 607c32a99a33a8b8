import type { Json, useGateway } from '../gateway.ts';

let tenants = 0;

/** Makes tenants of their own, each with an agent that works on a task. */
export const workingWith =
  (gateway: ReturnType<typeof useGateway>) =>
  async (agent: object = {}) => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(
      ['admin', 'agents:write', 'tasks:write', 'tasks:read', 'projects:write', 'analytics:read'],
      {
        tenantId,
      },
    );
    const role = `calls-${(tenants += 1)}`;
    const { id } = await gateway.make('/v1/agents', { name: role, role, max_concurrent_tasks: 5, ...agent }, { key });
    const begin = async (more: object = {}): Promise<{ task: Json; lease: Json }> => {
      await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role, ...more }, { key });
      return (await gateway.post(`/v1/agents/${id}/claims`, {}, { key })).body;
    };
    const makeOther = (): Promise<Json> =>
      gateway.make('/v1/agents', { name: `${role}-2`, role: `${role}-2` }, { key });
    const { task, lease } = await begin();
    const call = (verb: string, body: object, of: Json = lease) =>
      gateway.post(`/v1/leases/${of.lease_id}/${verb}`, { fencing_token: of.fencing_token, ...body }, { key });
    const start = async (call_id: string, more: object = {}, of: Json = lease) =>
      (await call('model-calls', { call_id, model: 'm', input_tokens: 10, max_output_tokens: 10, ...more }, of)).body;
    const report = (call_id: string, more: object = {}, of: Json = lease) =>
      call('model-calls/usage', { call_id, model: 'm', ...more }, of);
    const budget = (more: object = {}): Promise<Json> =>
      gateway.make('/v1/budgets', { scope: 'tenant', unit: 'tokens', period: 'day', limit: 100, ...more }, { key });
    const read = async (one: Json): Promise<Json> => (await gateway.get(`/v1/budgets/${one.id}`, { key })).body;
    const events = async (): Promise<Json[]> =>
      gateway.test.database.db.query(
        `SELECT event_type AS type, data FROM events WHERE tenant_id = $1 AND event_type LIKE 'budget.%' ORDER BY event_id`,
        [tenantId],
      );
    return { tenantId, key, id, role, task, lease, makeOther, begin, call, start, report, budget, read, events };
  };
