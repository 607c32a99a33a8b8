import type { Connection, Reply } from './open-connection.ts';

export type BenchAgent = { id: string; key: string };

/** A task as it is created; the role keeps one scenario's agents from another's tasks. */
export const benchTask = (role: string) => ({
  title: 'Add rate limiting to the login endpoint',
  description: 'Five failed attempts a minute per address, then 429 with Retry-After.',
  priority: 'high',
  assigned_role: role,
  tags: ['security', 'backend'],
  metadata: { ticket_id: 'ENG-1234', repository: 'acme/web' },
});

/** Throws unless the response has one of the statuses. */
export function expectStatus({ status, body }: Reply, ...statuses: number[]): void {
  if (!statuses.includes(status))
    throw new Error(`the service responded with ${status}: ${JSON.stringify(body).slice(0, 300)}`);
}

type Claimed = { task: { id: string }; lease: { lease_id: string; fencing_token: number } };

export async function claim(connection: Connection, { id, key }: BenchAgent, waitSeconds: number) {
  const reply = await connection.send('POST', `/v1/agents/${id}/claims`, key, { wait_seconds: waitSeconds });
  expectStatus(reply, 200, 204);
  return { reply, claimed: reply.status === 200 ? (reply.body as Claimed) : undefined };
}

export async function heartbeat(connection: Connection, { key }: BenchAgent, { lease }: Claimed): Promise<Reply> {
  const body = { fencing_token: lease.fencing_token };
  const reply = await connection.send('POST', `/v1/leases/${lease.lease_id}/heartbeat`, key, body);
  expectStatus(reply, 200);
  return reply;
}

export async function complete(connection: Connection, { key }: BenchAgent, { lease }: Claimed): Promise<Reply> {
  const body = { fencing_token: lease.fencing_token, summary: 'done', result: { ok: true } };
  const reply = await connection.send('POST', `/v1/leases/${lease.lease_id}/complete`, key, body);
  expectStatus(reply, 200);
  return reply;
}
