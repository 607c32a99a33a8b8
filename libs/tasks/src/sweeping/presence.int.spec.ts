import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import type { UseCaseContext } from '@eas/db';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createTask } from '../moves/create-task.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { getAgent } from '../reading/get-agent.ts';
import { sweepPresence } from './presence.sweeper.ts';
import { recordSightings } from './record-sightings.ts';
import { removeAgent } from '../steering/remove-agent.ts';

const test = useTestDatabase();
const leaseSeconds = 60;
const ada = { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 };
afterEach(() => test.shiftClock(0));

async function setUp() {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: 'key_1', isAdmin: true } });
  const { id } = await createAgent(ctx, ada);
  return { ctx, id };
}

/** The agent sends a sign, and it is written. */
async function see({ tenantId }: UseCaseContext, id: string): Promise<void> {
  const sightings = watch(leaseSeconds);
  sightings.record({ tenantId, id });
  await sightings.close();
}

/** A process that sees agents. */
const watch = (seconds: number) =>
  recordSightings({ database: test.database, logger: silentLogger, leaseSeconds: seconds });

const now = async ({ db }: UseCaseContext) => {
  const [row] = await db.query<{ now: Date }>('SELECT app_now() AS now');
  return row!.now.getTime();
};
const sweep = () => sweepPresence(test.database, leaseSeconds);
const presence = async (ctx: UseCaseContext, id: string) => (await getAgent(ctx, id)).body.presence;
const published = async ({ db, tenantId }: UseCaseContext) => {
  const sql = `SELECT data FROM events WHERE tenant_id = $1 AND event_type = 'agent.presence_changed' ORDER BY event_id`;
  return (await db.query<{ data: Record<string, string> }>(sql, [tenantId])).map(
    ({ data }) => `${data['from']} → ${data['to']}`,
  );
};

describe('presence', () => {
  it('is online as soon as the agent is seen, stale after a lease time, offline after ten, and each change is published', async () => {
    const { ctx, id } = await setUp();
    expect(await presence(ctx, id)).toBe('offline');
    const before = await now(ctx);
    await see(ctx, id);
    const { body } = await getAgent(ctx, id);
    expect([body.presence, Date.parse(body.last_active)]).toEqual(['online', expect.any(Number)]);
    expect(Date.parse(body.last_active)).toBeGreaterThanOrEqual(before);
    for (const [seconds, expected] of [
      [40, 'online'],
      [61, 'stale'],
      [580, 'stale'],
      [601, 'offline'],
    ] as const) {
      await test.shiftClock(seconds);
      await sweep();
      expect([seconds, await presence(ctx, id)]).toEqual([seconds, expected]);
    }
    await see(ctx, id);
    expect(await presence(ctx, id)).toBe('online');
    expect(await published(ctx)).toEqual(['offline → online', 'online → stale', 'stale → offline', 'offline → online']);
    const sql = `SELECT data FROM events WHERE tenant_id = $1 AND event_type = 'agent.presence_changed' LIMIT 1`;
    expect(await ctx.db.query(sql, [ctx.tenantId])).toEqual([
      { data: { agent_id: id, name: 'Ada', role: 'rd', from: 'offline', to: 'online' } },
    ]);
  });

  it('is published once when it has changed by more than a step, and by two sweeps at once', async () => {
    const { ctx, id } = await setUp();
    await see(ctx, id);
    await test.shiftClock(3_600);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await published(ctx)).toEqual(['offline → online', 'online → offline']);
  });

  it('is recorded by the sweep for an agent that came unreported', async () => {
    const { ctx, id } = await setUp();
    await ctx.db.query('UPDATE agents SET last_seen_at = app_now() WHERE tenant_id = $1 AND id = $2', [
      ctx.tenantId,
      id,
    ]);
    expect(await sweep()).toBeGreaterThanOrEqual(1);
    expect(await presence(ctx, id)).toBe('online');
  });

  it('stays online while a lease of the agent is renewed, by any caller', async () => {
    const { ctx, id } = await setUp();
    await createTask(ctx, newTask());
    await see(ctx, id);
    await test.shiftClock(300);
    expect((await claimTask(ctx, { agentId: id })).claim).toBeDefined();
    await test.shiftClock(330);
    await sweep();
    expect([await presence(ctx, id), await published(ctx)]).toEqual(['online', ['offline → online']]);
    await test.shiftClock(361);
    await sweep();
    expect(await presence(ctx, id)).toBe('stale');
  });

  it('reports an agent as waiting for as long as it waits', async () => {
    const { ctx, id } = await setUp();
    const isWaiting = async () => {
      const sql = 'SELECT waiting_until > app_now() AS waits FROM agents WHERE tenant_id = $1 AND id = $2';
      return (await ctx.db.query<{ waits: boolean | null }>(sql, [ctx.tenantId, id]))[0]?.waits ?? false;
    };
    const sightings = watch(1);
    const leave = sightings.startWaiting({ tenantId: ctx.tenantId, id });
    await eventually(isWaiting);
    await test.shiftClock(3_600);
    expect(await isWaiting()).toBe(true);
    leave();
    await eventually(async () => !(await isWaiting()));
    await sightings.close();
  });

  it("lasts while a process sees the agent, without any write of an agent's row", async () => {
    const { ctx, id } = await setUp();
    const others = await Promise.all([...Array(20)].map(() => createAgent(ctx, ada)));
    const sightings = watch(1);
    for (const agentId of [id, ...others.map((other) => other.id)])
      sightings.startWaiting({ tenantId: ctx.tenantId, id: agentId });
    const rowsSql = 'SELECT id, xmin::text, presence, waiting_until FROM agents WHERE tenant_id = $1 ORDER BY id';
    const rows = () => ctx.db.query<{ presence: string }>(rowsSql, [ctx.tenantId]);
    await eventually(async () => (await rows()).every((row) => row.presence === 'online'));
    const before = await rows();
    const beats = () =>
      ctx.db.query<{ at: Date }>(
        'SELECT alive_at AS at FROM agent_watchers WHERE id = (SELECT seen_by FROM agents WHERE id = $1)',
        [id],
      );
    for (let interval = 0; interval < 5; interval += 1) {
      const [last] = await beats();
      await eventually(async () => (await beats())[0]!.at > last!.at);
      await sweep();
    }
    expect(await rows()).toEqual(before);
    const [beat] = await beats();
    const { body } = await getAgent(ctx, id);
    expect(Date.parse(body.last_active)).toBeGreaterThanOrEqual(beat!.at.getTime());
    await sightings.close();
  });

  it('of agents that a killed process saw dates from the last sign of that process', async () => {
    const { ctx, id } = await setUp();
    await see(ctx, id);
    await ctx.db.query(`UPDATE agents SET seen_by = 'killed', waiting_until = 'infinity' WHERE id = $1`, [id]);
    await ctx.db.query(`INSERT INTO agent_watchers VALUES ('killed', app_now() + interval '30 seconds')`);
    for (const [seconds, expected] of [
      [45, 'online'],
      [89, 'online'],
      [91, 'stale'],
      [631, 'offline'],
    ] as const) {
      await test.shiftClock(seconds);
      await sweep();
      expect([seconds, await presence(ctx, id)]).toEqual([seconds, expected]);
    }
    const sql = `SELECT seen_by, waiting_until FROM agents WHERE id = $1`;
    expect(await ctx.db.query(sql, [id])).toEqual([{ seen_by: null, waiting_until: null }]);
    expect(await ctx.db.query(`SELECT FROM agent_watchers WHERE id = 'killed'`)).toEqual([]);
  });

  it('is maintained by the process that sees the agent, when another one no longer does', async () => {
    const { ctx, id } = await setUp();
    const agent = { tenantId: ctx.tenantId, id };
    const [first, second] = [watch(1), watch(1)];
    first.startWaiting(agent);
    const watcherOf = async () =>
      (await ctx.db.query<{ by: string | null }>('SELECT seen_by AS by FROM agents WHERE id = $1', [id]))[0]?.by ??
      null;
    await eventually(async () => (await watcherOf()) !== null);
    const before = await watcherOf();
    second.startWaiting(agent);
    await first.close();
    await eventually(async () => ![null, before].includes(await watcherOf()));
    await second.close();
    expect(await watcherOf()).toBeNull();
  });

  it("does not change the agent's version, and ignores a removed one", async () => {
    const { ctx, id } = await setUp();
    const { version } = await getAgent(ctx, id);
    await see(ctx, id);
    expect((await getAgent(ctx, id)).version).toBe(version);
    await removeAgent(ctx, { agentId: id });
    await see(ctx, id);
    await test.shiftClock(3_600);
    await sweep();
    expect(await published(ctx)).toEqual(['offline → online']);
  });
});
