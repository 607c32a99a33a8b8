import { newId } from '@eas/core';
import { claimNext, settleClaimed } from '@eas/outbound';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { createIntegration } from '@eas/integrations';
import { callKind } from '../making/call-kind.ts';
import { wantPullRequests } from './platform-call.store.ts';

const test = useTestDatabase();
const kind = callKind({} as Parameters<typeof callKind>[0]);

describe('a pull request that is wanted again', () => {
  it('while others take and end its calls waits for none of them in a circle', async () => {
    const tenantId = await test.createTenant();
    const body = { type: 'github', org_name: 'acme', secret: 'a secret of acme', token: 'ghp' } as const;
    const integrationId = (await createIntegration(test.context({ tenantId }), body)).integration.id;
    const { inTransaction, db } = test.database;
    const call = { integrationId, kind: 'pull_request', externalId: 'acme/web', key: 'tsk_1' } as const;
    const wanted = { repository: 'acme/web', branch: 'b', baseBranch: 'main', sha: null, title: 't', text: 'x' };
    const want = () =>
      inTransaction(tenantId, (tx) =>
        wantPullRequests(tx, [{ ...call, payload: { pullRequest: { ...wanted, eventId: newId('event') } } }]),
      );
    const make = async () => {
      await db.query('UPDATE platform_apis SET slot_at = app_now() WHERE tenant_id = $1', [tenantId]);
      const taken = await inTransaction(tenantId, (tx) => claimNext(tx, kind, { integrationId }));
      if (!taken) return;
      await inTransaction(tenantId, (tx) =>
        settleClaimed(tx, kind, taken, { outcome: 'done', state: 'sent', isSlow: false }),
      );
    };
    const repeat = async (work: () => Promise<unknown>) => {
      for (let n = 0; n < 60; n += 1) await work();
    };
    await Promise.all([repeat(want), repeat(want), repeat(make), repeat(make)]);
    for (let n = 0; n < 3; n += 1) await make();
    const rows = await db.query('SELECT state FROM platform_calls WHERE tenant_id = $1', [tenantId]);
    expect(rows).toEqual([{ state: 'done' }]);
  });
});
