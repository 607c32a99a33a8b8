import { sweepPresence } from '@eas/tasks';
import { eventually } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { type Json, leaseSeconds, useGateway } from '../gateway.ts';
import { openScene } from './scene.ts';

const gateway = useGateway();

/** For how many seconds from now on it runs. */
const secondsOf = ({ expires_at: expiresAt }: Json) => Math.round((Date.parse(expiresAt) - Date.now()) / 1_000);

/** Under a lease of so many seconds. */
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
    const { task, lease, call } = await hold(asked);
    expect(secondsOf(lease)).toBeCloseTo(seconds, -1);
    for (const verb of ['heartbeat', 'progress', 'acknowledge']) {
      await setLease(task, `expires_at = now() + interval '5 s'`);
      expect(secondsOf((await call(lease, verb)).body)).toBeCloseTo(seconds, -1);
    }
  });

  it('keeps its length when it is resumed, given again for the same key, and goes on after an answer', async () => {
    const { id, key, task, lease, call, claim } = await hold(900, { 'idempotency-key': 'one' });
    const again = (await claim({ lease_seconds: 900 }, { 'idempotency-key': 'one' })).body;
    expect([again.lease.lease_id, secondsOf(again.lease)]).toEqual([lease.lease_id, secondsOf(lease)]);
    await setLease(task, `expires_at = now() + interval '5 s'`);
    const resumed = (await call(lease, 'resume')).body.lease;
    expect(secondsOf(resumed)).toBeCloseTo(900, -1);
    const { input } = (await call(resumed, 'inputs', { kind: 'question', prompt: 'Which?' })).body;
    await gateway.post(`/v1/inputs/${input.id}/answer`, { answer: 'This.' });
    expect(secondsOf((await call(resumed, 'heartbeat')).body)).toBeCloseTo(900, -1);
    expect((await gateway.get('/v1/agents/me/leases', { key })).body.leases).toMatchObject([{ task: { id: task.id } }]);
    expect((await gateway.get(`/v1/agents/${id}`)).body.status).toBe('busy');
  });

  it('of several claims of one moment has the length of its own', async () => {
    const scenes = [await openScene(gateway), await openScene(gateway), await openScene(gateway)];
    for (const { addTask } of scenes) await addTask();
    const claims = scenes.map(({ claim }, index) => claim({ lease_seconds: 100 * (index + 1) }));
    const seconds = (await Promise.all(claims)).map(({ body }) => secondsOf(body.lease) / 10);
    expect(seconds.map(Math.round)).toEqual([10, 20, 30]);
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
    // Its claim is noted a moment later.
    await eventually(async () => (await read()).presence === 'online');
    const silent = await afterSeconds(600);
    expect(silent.presence).toBe('online');
    expect(Date.parse(silent.last_active)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect((await afterSeconds(899)).presence).toBe('online');
    expect((await afterSeconds(1_000)).presence).toBe('stale');
  });
});
