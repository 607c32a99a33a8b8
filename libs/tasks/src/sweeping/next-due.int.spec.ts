import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createTask } from '../moves/create-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { nextInputExpiryAt } from './input.sweeper.ts';
import { nextLeaseExpiryAt } from './lease.sweeper.ts';
import { nextUnreportedCallAt } from './model-call.sweeper.ts';
import { nextUnrevivedAt } from './parked-lease.sweeper.ts';

const test = useTestDatabase();
const ends = [nextInputExpiryAt, nextLeaseExpiryAt, nextUnreportedCallAt, nextUnrevivedAt];

describe('the next end that a sweep waits for', () => {
  it('is none while there is no lease, input or model call', async () => {
    expect(await Promise.all(ends.map((next) => next(test.database.db)))).toEqual([null, null, null, null]);
  });

  it('is that of a lease, and of the wait of an answered one', async () => {
    const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: 'key_1', isAdmin: true } });
    const { id: agentId } = await createAgent(ctx, {
      name: 'Ada',
      role: 'rd',
      capabilities: [],
      max_concurrent_tasks: 1,
    });
    await createTask(ctx, newTask());
    await claimTask(ctx, { agentId });
    const [lease] = await ctx.db.query<{ at: Date }>('SELECT expires_at AS at FROM leases WHERE tenant_id = $1', [
      ctx.tenantId,
    ]);
    expect(await nextLeaseExpiryAt(ctx.db)).toEqual(lease?.at);
    const parkSql =
      'UPDATE leases SET parked_at = started_at, revive_until = expires_at, expires_at = NULL WHERE tenant_id = $1';
    await ctx.db.query(parkSql, [ctx.tenantId]);
    expect([await nextUnrevivedAt(ctx.db), await nextLeaseExpiryAt(ctx.db)]).toEqual([lease?.at, null]);
  });
});
