import { type DbScope, type Tx } from '@eas/db';
import type { ModelCall } from './model-call.ts';

const columns = `
  lease_id AS "leaseId", call_id AS "callId", at, task_id AS "taskId", agent_id AS "agentId", role,
  project_id AS "projectId", run_id AS "runId", model, source, state, cost::float8 AS cost, reservations,
  json_build_object('input', input_tokens, 'output', output_tokens, 'cacheRead', cache_read_tokens,
    'cacheWrite', cache_write_tokens) AS tokens`;

export type ModelCallKey = { leaseId: string; callId: string; notBefore: Date };

/** `at` leaves the months out that are over. The clock may have been set back since the lease began, by less than a day. */
const lockSql = `
  SELECT ${columns} FROM model_calls
  WHERE tenant_id = $1 AND lease_id = $2 AND call_id = $3 AND at >= $4::timestamptz - interval '1 day'
  ORDER BY at LIMIT 1 FOR NO KEY UPDATE`;

/** Locks a call that began at that moment or later, under a locked lease: its key is its own then. */
export async function lockModelCall(
  { db, tenantId }: DbScope,
  { leaseId, callId, notBefore }: ModelCallKey,
): Promise<ModelCall | undefined> {
  const [call] = await db.query<ModelCall>(lockSql, [tenantId, leaseId, callId, notBefore]);
  return call;
}

/** The usage of a call is expected within that time. It counts whenever it comes. */
const openMinutes = 10;

const insertSql = `
  INSERT INTO model_calls (tenant_id, lease_id, call_id, at, task_id, agent_id, role, project_id, run_id, model, source,
    state, due_at, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost, reservations)
  VALUES ($1, $2, $3, app_now(), $4, $5, $6, $7, $8, $9, $10, $11,
    CASE WHEN $11 = 'open' THEN app_now() + interval '${openMinutes} minutes' END, $12, $13, $14, $15, $16, $17)`;

/** Inserts a call that begins now, or one that is over. */
export async function insertModelCall({ db, tenantId }: Tx, call: Omit<ModelCall, 'at'>): Promise<void> {
  const { leaseId, callId, taskId, agentId, role, projectId, runId, model, source, state } = call;
  const of = [leaseId, callId, taskId, agentId, role, projectId, runId, model, source, state];
  const { input, output, cacheRead, cacheWrite } = call.tokens;
  const counts = [input, output, cacheRead, cacheWrite, call.cost, JSON.stringify(call.reservations)];
  await db.query(insertSql, [tenantId, ...of, ...counts]);
}

const saveSql = `
  UPDATE model_calls SET state = $5, due_at = NULL, model = $6, input_tokens = $7, output_tokens = $8,
    cache_read_tokens = $9, cache_write_tokens = $10, cost = $11
  WHERE tenant_id = $1 AND lease_id = $2 AND call_id = $3 AND at = $4`;

/** Writes a locked call back that is no longer open. */
export async function saveModelCall({ db, tenantId }: Tx, call: ModelCall): Promise<void> {
  const { leaseId, callId, at, state, model, tokens, cost } = call;
  const { input, output, cacheRead, cacheWrite } = tokens;
  await db.query(saveSql, [tenantId, leaseId, callId, at, state, model, input, output, cacheRead, cacheWrite, cost]);
}

/** The role of an agent that works under a locked lease. */
export async function roleOfAgent({ db, tenantId }: DbScope, agentId: string): Promise<string> {
  const sql = 'SELECT role FROM agents WHERE tenant_id = $1 AND id = $2';
  const [agent] = await db.query<{ role: string }>(sql, [tenantId, agentId]);
  if (!agent) throw new Error('a lease has no agent');
  return agent.role;
}
