// What has to happen before there is something to read: agents that claim tasks and report.
import assert from 'node:assert/strict';
import { type Json, ok, post, run } from './call.ts';

type Lease = { lease_id: string; fencing_token: number };

export const roleOf = (name: string): string => `interface-${run}-${name}`;

export const makeAgent = (fields: { role: string } & Record<string, unknown>): Promise<Json> =>
  post('/v1/agents', { name: 'Ada', capabilities: ['typescript'], ...fields });

/** Tasks have a role here: one without could go to any agent. */
export const makeTask = (fields: { assigned_role: string } & Record<string, unknown>): Promise<Json> =>
  post('/v1/tasks', { title: 'Limit failed logins', description: 'Five a minute.', ...fields });

export const readTask = (id: string): Promise<Json> => ok(`/v1/tasks/${id}`);
export const readAgent = (id: string): Promise<Json> => ok(`/v1/agents/${id}`);

/** The lease of a task that is the first of its role. */
export async function claim(agentId: string, taskId: string): Promise<Lease> {
  const claimed = await post(`/v1/agents/${agentId}/claims`, { wait_seconds: 30 });
  assert.equal(claimed?.task.id, taskId, 'the claimed task');
  return claimed.lease;
}

/** A call under the lease: progress, complete, release. */
export const under = ({ lease_id, fencing_token }: Lease, act: string, fields: object = {}): Promise<Json> =>
  post(`/v1/leases/${lease_id}/${act}`, { fencing_token, ...fields });

export async function completeTask(agentId: string, taskId: string, fields: object = {}): Promise<void> {
  await under(await claim(agentId, taskId), 'complete', fields);
}
