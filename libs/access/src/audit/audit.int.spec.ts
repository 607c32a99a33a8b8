import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { createApiKey, listAudit, recordAudit, revokeAgentKeys } from '../index.ts';

const test = useTestDatabase();
const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'created_at', isDescending: true } };

describe('the audit log', () => {
  it.each(['UPDATE audit_log SET actor_id = $1', 'DELETE FROM audit_log WHERE actor_id <> $1', 'TRUNCATE audit_log'])(
    'refuses %s',
    async (sql) => {
      const ctx = test.context();
      await createApiKey(ctx, { name: 'k', scopes: ['tasks:read'] });
      const before = await listAudit(ctx, {}, page);
      await expect(ctx.db.query(sql, sql.includes('$1') ? ['usr_other'] : [])).rejects.toThrow('append-only');
      expect(await listAudit(ctx, {}, page)).toEqual(before);
    },
  );

  it('has no entry for an action that failed', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    const failed = ctx.inTransaction(async (tx) => {
      await recordAudit(tx, ctx.actor, { action: 'api_key.revoked', target: 'key_1' });
      throw new Error('the act failed');
    });
    await expect(failed).rejects.toThrow('the act failed');
    expect((await listAudit(ctx, {}, page)).total).toBe(0);
  });

  it('is only visible to its tenant', async () => {
    const [one, other] = [await test.createTenant(), await test.createTenant()];
    await createApiKey(test.context({ tenantId: one }), { name: 'k', scopes: ['tasks:read'] });
    expect((await listAudit(test.context({ tenantId: one }), {}, page)).total).toBe(1);
    expect((await listAudit(test.context({ tenantId: other }), {}, page)).total).toBe(0);
  });

  it('has a line for each key of a removed agent', async () => {
    const ctx = test.context({ tenantId: await test.createTenant() });
    await ctx.db.query(
      `INSERT INTO agents (tenant_id, id, name, role, created_at, updated_at) VALUES ($1, 'agt_1', 'Ada', 'rd', now(), now())`,
      [ctx.tenantId],
    );
    for (const name of ['a', 'b']) await createApiKey(ctx, { name, scopes: ['agent:self'], agentId: 'agt_1' });
    await createApiKey(ctx, { name: 'c', scopes: ['tasks:read'] });
    await revokeAgentKeys(ctx, 'agt_1');
    await revokeAgentKeys(ctx, 'agt_1');
    expect((await listAudit(ctx, { action: 'api_key.revoked' }, page)).total).toBe(2);
  });
});
