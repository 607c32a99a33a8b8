import { sweepExpiredLeases } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { calls, openScene } from './scene.ts';

const gateway = useGateway();

async function openKeyedScene() {
  const scene = await openScene(gateway);
  const call = (lease: Json, verb: string, body: object, idempotencyKey: string) => {
    const path = `/v1/leases/${lease.lease_id}/${verb}`;
    const headers = { 'idempotency-key': idempotencyKey };
    return gateway.post(path, { fencing_token: lease.fencing_token, ...body }, { key: scene.key, headers });
  };
  return { ...scene, call };
}

describe('a call under a lease that is repeated with its Idempotency-Key', () => {
  it.each(calls)('%s is done once', async (verb, body) => {
    const { begin, call } = await openKeyedScene();
    const { lease } = await begin();
    const first = await call(lease, verb, body, 'k');
    const rows = await gateway.rows();
    const again = await call(lease, verb, body, 'k');
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      first.status < 300 ? first.status : 'not done',
      first.text,
      'true',
    ]);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('with another body is 409, and with another key is done again', async () => {
    const { begin, call, readTimeline } = await openKeyedScene();
    const { task, lease } = await begin();
    await call(lease, 'progress', { comment: 'a' }, 'k');
    const reused = { field: 'Idempotency-Key', constraint: 'idempotency_key_reuse' };
    expectError(await call(lease, 'progress', { comment: 'b' }, 'k'), 409, 'conflict', reused);
    expect((await call(lease, 'progress', { comment: 'a' }, 'k2')).status).toBe(200);
    expect((await readTimeline(task.id, 'comment')).map(({ content }) => content)).toEqual(['a', 'a']);
  });

  it('leaves what it leaves without a key: a late result is kept', async () => {
    const { role, begin, call, readTimeline } = await openKeyedScene();
    const { task, lease } = await begin();
    const other = await gateway.make('/v1/agents', { name: 'other', role });
    const sql = "UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1";
    await gateway.test.database.db.query(sql, [lease.lease_id]);
    await sweepExpiredLeases(gateway.test.database);
    await gateway.post(`/v1/agents/${other.id}/claims`, {});
    for (let time = 0; time < 2; time += 1) {
      const lost = await call(lease, 'complete', { summary: 'Late.' }, 'k');
      expect(lost.body.error).toMatchObject({ details: { constraint: 'lease_lost' }, directives: [{}] });
    }
    expect(await readTimeline(task.id, 'late_result')).toMatchObject([{ summary: 'Late.' }]);
  });

  it('is checked against the schema of its task, and a corrected one goes through with another key', async () => {
    const { begin, call } = await openKeyedScene();
    const contract = { result_schema: { type: 'object', required: ['words'] } };
    const { lease } = await begin({ contract });
    const unmet = { constraint: 'contract' };
    expect((await call(lease, 'complete', { result: {} }, 'k')).body.error.details).toMatchObject(unmet);
    expect((await call(lease, 'complete', { result: { words: 1 } }, 'k2')).status).toBe(200);
  });
});
