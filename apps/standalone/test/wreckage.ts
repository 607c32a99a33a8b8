// Shared by tests that break a whole system while agents work on it.
import type { Database } from '@eas/db';
import { connectRedis } from '@eas/queue/redis-connection';
import { truncateQueues } from '@eas/testing/queues';
import type { PatientClient } from './patient-client.ts';

/** Wipes a Redis database as FLUSHALL would wipe a whole server, or the queue tables. */
export async function wipeQueueStore(database: Database, redisUrl: string | undefined): Promise<void> {
  if (!redisUrl) return truncateQueues(database, 'queue');
  const redis = connectRedis(redisUrl, 'worker', () => {});
  await redis.flushdb();
  redis.disconnect();
}

export async function createAgents(client: PatientClient, role: string, count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) => client.post('/v1/agents', { name: `${role} ${n}`, role })),
  );
  return made.map(({ body }) => String(body['id']));
}

/** Claims and completes until it is stopped, starting over whenever its lease was lost. */
export async function work(client: PatientClient, agentId: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const claim = await client.post(`/v1/agents/${agentId}/claims`, { wait_seconds: 1 });
    if (claim.status !== 200) {
      // 409: a claim whose response was lost still holds the slot until its lease runs out.
      if (claim.status === 409) await new Promise((resolve) => setTimeout(resolve, 500));
      continue;
    }
    const { lease_id: leaseId, fencing_token: token } = claim.body['lease'] as Record<string, unknown>;
    await client.post(`/v1/leases/${leaseId}/progress`, { fencing_token: token, percent_complete: 50 });
    await client.post(`/v1/leases/${leaseId}/complete`, { fencing_token: token, summary: 'done' });
  }
}
