import { eventually, useTestDatabase } from '@eas/testing';
import { hangMs } from '@eas/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inboundScene } from '../../test/inbound-scene.ts';
import { callsOf, forgetCalls, passTime, platformCaller, startPlatform } from '../../test/platform-scene.ts';
import { wantCalls } from '@eas/platform-calls';

const test = useTestDatabase();
/** No call that hangs ends before. */
const deadlineMs = 60_000;
const slowMs = 500;

let platform: Awaited<ReturnType<typeof startPlatform>>;
let scene: ReturnType<typeof inboundScene>;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());
beforeEach(async () => {
  platform.reset();
  await forgetCalls(test);
  scene = inboundScene(test);
});

/** A tenant whose integrations want a call each, to a platform that answers or hangs. */
async function connectTenant({ integrations, answer }: { integrations: number; answer: 'hang' | { status: number } }) {
  const tenantId = await test.createTenant();
  for (let n = 0; n < integrations; n += 1) {
    const body = { type: 'taskplatform', secret: `a secret of ${tenantId} ${n}`, token: `pk_${tenantId}` } as const;
    const { id: integrationId } = (await scene.connect(tenantId, body)).integration;
    platform.answer(`GET /task/${integrationId}`, answer);
    const call = { integrationId, kind: 'task', externalId: integrationId, key: '', payload: {} } as const;
    await test.database.inTransaction(tenantId, (tx) => wantCalls(tx, [call]));
  }
  return tenantId;
}

async function connectHanging(tenants: number, integrations: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < tenants; n += 1) ids.push(await connectTenant({ integrations, answer: 'hang' }));
  return ids;
}

const tokens = () => platform.requests.map(({ token }) => token.replace('pk_', ''));

describe('20 tenants with a platform that never answers', () => {
  it('hold up the calls of another tenant for as long as a call has a slot, whatever they want called', async () => {
    const caller = platformCaller(test, platform.url, deadlineMs, slowMs);
    await connectHanging(20, 3);
    const modest = await connectTenant({ integrations: 2, answer: { status: 404 } });
    await eventually(async () => {
      await caller.calling.sweep();
      return caller.reports.length >= 2;
    });
    expect(caller.reports).toEqual(['task gone', 'task gone']);
    expect(await callsOf(test, modest)).toMatchObject([{ state: 'failed' }, { state: 'failed' }]);
    // Each tenant had a turn before one of them had a third.
    const before = tokens().slice(0, tokens().indexOf(modest));
    for (const calls of Map.groupBy(before, (token) => token).values()) expect(calls.length).toBeLessThanOrEqual(2);
    platform.reset();
    platform.hangUp();
    await caller.calling.drain();
  });

  it('wait for the others once they are known to hang, and have their turn again when they answer', async () => {
    const caller = platformCaller(test, platform.url, slowMs + 200, slowMs);
    const hanging = await connectHanging(20, 1);
    await eventually(async () => {
      await caller.calling.sweep();
      return caller.reports.length === 20;
    });
    for (const tenantId of hanging) await passTime(test, tenantId);
    const modest = await connectTenant({ integrations: 4, answer: { status: 404 } });
    platform.requests.length = 0;
    await caller.calling.sweep();
    await eventually(() => tokens().filter((token) => token === modest).length === 4);
    // Those of the 20 have eight slots.
    expect(tokens().lastIndexOf(modest)).toBeLessThan(12);
    await caller.calling.drain();

    for (const tenantId of hanging) await passTime(test, tenantId);
    const calls = await test.database.db.query<{ id: string }>(
      'SELECT integration_id AS id FROM platform_apis WHERE tenant_id = ANY ($1)',
      [hanging],
    );
    for (const { id } of calls) platform.answer(`GET /task/${id}`, { status: 404 });
    await platformCaller(test, platform.url, hangMs, hangMs).run();
    const slow = await test.database.db.query<{ slow: number }>(
      'SELECT sum(slow_calls)::int AS slow FROM platform_apis WHERE tenant_id = ANY ($1)',
      [hanging],
    );
    expect(slow).toEqual([{ slow: 0 }]);
  });
});
