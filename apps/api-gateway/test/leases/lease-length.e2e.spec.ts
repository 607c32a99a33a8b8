import { sweepPresence } from '@eas/tasks';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { type Json, leaseSeconds, useGateway } from '../gateway.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();

/** The minimum precision with which a gateway knows the clock of the database. */
const clockErrorMs = 5_000;

/** The lease was granted at some moment between then and now, for this number of seconds. */
function expectLength({ expires_at: expiresAt }: Json, seconds: number, sinceMs: number): void {
  const givenMs = Date.parse(expiresAt) - seconds * 1_000;
  expect(givenMs).toBeGreaterThanOrEqual(sinceMs - clockErrorMs);
  expect(givenMs).toBeLessThanOrEqual(Date.now() + clockErrorMs);
}

/** Under a lease of this number of seconds. */
async function hold(seconds: number | undefined, headers: Record<string, string> = {}) {
  const scene = await openScene(gateway);
  const task = await scene.addTask();
  const { body } = await scene.claim({ lease_seconds: seconds }, headers);
  return { ...scene, task, lease: body.lease as Json };
}

const setLease = (task: Json, change: string) =>
  gateway.test.database.db.query(`UPDATE leases SET ${change} WHERE task_id = $1`, [task.id]);

describe('a lease', () => {
  it.each([
    [undefined, leaseSeconds],
    [60, 60],
    [1_800, 1_800],
  ])('that is claimed for %s seconds lasts %s from each call under it', async (asked, seconds) => {
    const heldMs = Date.now();
    const { task, lease, call } = await hold(asked);
    expectLength(lease, seconds, heldMs);
    for (const verb of ['heartbeat', 'progress', 'acknowledge']) {
      await setLease(task, `expires_at = now() + interval '30 s'`);
      const calledMs = Date.now();
      expectLength((await call(lease, verb)).body, seconds, calledMs);
    }
  });

  it('keeps its length when it is resumed, given again for the same key, and goes on after an answer', async () => {
    const { id, key, task, lease, call, claim } = await hold(900, { 'idempotency-key': 'one' });
    const again = (await claim({ lease_seconds: 900 }, { 'idempotency-key': 'one' })).body;
    expect(again.lease).toEqual(lease);
    await setLease(task, `expires_at = now() + interval '30 s'`);
    const resumedMs = Date.now();
    const resumed = (await call(lease, 'resume')).body.lease;
    expectLength(resumed, 900, resumedMs);
    const { input } = (await call(resumed, 'inputs', { kind: 'question', prompt: 'Which?' })).body;
    await gateway.post(`/v1/inputs/${input.id}/answer`, { answer: 'This.' });
    const revivedMs = Date.now();
    expectLength((await call(resumed, 'heartbeat')).body, 900, revivedMs);
    expect((await gateway.get('/v1/agents/me/leases', { key })).body.leases).toMatchObject([{ task: { id: task.id } }]);
    expect((await gateway.get(`/v1/agents/${id}`)).body.status).toBe('busy');
  });

  it('of several claims of one moment has the length of its own', async () => {
    const scenes = [await openScene(gateway), await openScene(gateway), await openScene(gateway)];
    for (const { addTask } of scenes) await addTask();
    const claimedMs = Date.now();
    const claims = scenes.map(({ claim }, index) => claim({ lease_seconds: 100 * (index + 1) }));
    for (const [index, { body }] of (await Promise.all(claims)).entries())
      expectLength(body.lease, 100 * (index + 1), claimedMs);
  });

  it('that is long keeps its agent online while the agent is silent, until it ends', async () => {
    const { id, task } = await hold(900);
    const read = async () => (await gateway.get(`/v1/agents/${id}`)).body;
    const { db } = gateway.test.database;
    const afterSeconds = async (seconds: number) => {
      await db.query(`UPDATE agents SET seen_by = NULL, last_seen_at = now() - interval '1 hour' WHERE id = $1`, [id]);
      await setLease(task, `expires_at = now() + ${900 - seconds} * interval '1 s'`);
      await sweepPresence(gateway.test.database, leaseSeconds);
      return read();
    };
    // Its claim is recorded a moment later.
    await eventually(async () => (await read()).presence === 'online');
    const silent = await afterSeconds(600);
    expect(silent.presence).toBe('online');
    expect(Date.parse(silent.last_active)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect((await afterSeconds(899)).presence).toBe('online');
    // The gateway may say once more that it has seen the agent, just before the sweep.
    await eventually(async () => (await afterSeconds(1_000)).presence === 'stale');
  });
});
