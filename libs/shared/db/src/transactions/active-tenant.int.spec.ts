import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { requireActiveTenant } from './active-tenant.ts';

const test = useTestDatabase();

describe('what needs an active tenant', () => {
  it('keeps it from being suspended until the transaction ends', async () => {
    const tenantId = await test.createTenant();
    const lockSql = 'SELECT 1 FROM tenants WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED';
    const locked = async () => (await test.database.db.query(lockSql, [tenantId])).length;
    const meanwhile = await test.database.inTransaction(tenantId, async (tx) => {
      await requireActiveTenant(tx);
      return locked();
    });
    expect([meanwhile, await locked()]).toEqual([0, 1]);
  });
});
