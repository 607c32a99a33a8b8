import type { ApiResponse, Gateway, Json } from '../gateway.ts';

let scenes = 0;

/** An agent with a unique role and a key of its own, and what it and people do. */
export async function agentScene(gateway: Gateway, agent: object = {}) {
  scenes += 1;
  const role = `asks-${scenes}`;
  const { id } = await gateway.make('/v1/agents', { name: role, role, ...agent });
  const key = await gateway.makeKey(['agent:self'], { agentId: id });
  const addTask = (more: object = {}): Promise<Json> =>
    gateway.make('/v1/tasks', { title: 'Work', description: 'Do it.', assigned_role: role, ...more });
  const claim = (): Promise<ApiResponse> => gateway.post(`/v1/agents/${id}/claims`, {}, { key });
  const call = (lease: Json, verb: string, body: object = {}): Promise<ApiResponse> =>
    gateway.post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...body }, { key });
  const ask = (lease: Json, more: object = {}) =>
    call(lease, 'inputs', { kind: 'question', prompt: 'Which one?', ...more });
  return {
    role,
    id,
    key,
    addTask,
    claim,
    call,
    ask,
    /** A task of the scene under a lease. */
    async hold(more: object = {}) {
      const task = await addTask(more);
      const { lease } = (await claim()).body;
      return { task, lease };
    },
    async readTask(taskId: string): Promise<Json> {
      return (await gateway.get(`/v1/tasks/${taskId}`)).body;
    },
    async readAgent(): Promise<Json> {
      return (await gateway.get(`/v1/agents/${id}`)).body;
    },
  };
}

/** Events of a task, oldest first, without their times. */
export async function eventsOf(gateway: Gateway, taskId: string): Promise<[string, Json][]> {
  const rows = await gateway.test.database.db.query<{ type: string; data: Json }>(
    "SELECT event_type AS type, data FROM events WHERE data ->> 'task_id' = $1 ORDER BY event_id",
    [taskId],
  );
  return rows.map(({ type, data }) => [type, data]);
}

/** As if that much time had passed since the rows of a task were written. */
export async function passTime(gateway: Gateway, taskId: string, minutes: number): Promise<void> {
  const { db } = gateway.test.database;
  const earlier = `- ${minutes} * interval '1 minute'`;
  await db.query(
    `UPDATE inputs SET created_at = created_at ${earlier}, expires_at = expires_at ${earlier} WHERE task_id = $1`,
    [taskId],
  );
  await db.query(
    `UPDATE leases SET started_at = started_at ${earlier}, revive_until = revive_until ${earlier} WHERE task_id = $1`,
    [taskId],
  );
  await db.query(`UPDATE tasks SET updated_at = updated_at ${earlier} WHERE id = $1`, [taskId]);
}
