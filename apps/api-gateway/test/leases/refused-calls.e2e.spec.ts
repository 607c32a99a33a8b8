import { sweepExpiredLeases } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { type ApiResponse, expectError, type Json, useGateway } from '../gateway.ts';
import { calls, openScene } from './scene.ts';

const gateway = useGateway();
const lost = { field: 'fencing_token', constraint: 'lease_lost' };

/** The call is refused so, and nothing is written. */
async function refused(
  call: () => Promise<ApiResponse>,
  status: number,
  code: string,
  details?: object,
): Promise<ApiResponse> {
  const before = await gateway.rows();
  const response = await call();
  expect(await gateway.rows()).toEqual(before);
  expectError(response, status, code, details as never);
  return response;
}

describe.each(calls)('a call of %s', (verb, body) => {
  it('with another token is 409 lease_lost', async () => {
    const { begin, call } = await openScene(gateway);
    const { lease } = await begin();
    const stale = { ...lease, fencing_token: lease.fencing_token + 1 };
    const { body: response } = await refused(() => call(stale, verb, body), 409, 'conflict', lost);
    expect(response.error.directives).toEqual([]);
  });

  it('under another agent’s lease is 403, under an unknown one 404', async () => {
    const [one, other] = [await openScene(gateway), await openScene(gateway)];
    const { lease } = await one.begin();
    await refused(() => other.call(lease, verb, body), 403, 'forbidden');
    await refused(() => one.call({ ...lease, lease_id: 'lse_none' }, verb, body), 404, 'not_found');
  });

  it('without a token, or with U+0000 in it, is 400', async () => {
    const { begin, call, key } = await openScene(gateway);
    const { lease } = await begin();
    const path = `/v1/leases/${lease.lease_id}/${verb}`;
    const required = { field: 'fencing_token', constraint: 'required' };
    await refused(() => gateway.post(path, body, { key }), 400, 'invalid_input', required);
    const nul = { ...body, fencing_token: lease.fencing_token, reason: 'a\u0000b' };
    const format = { field: 'reason', constraint: 'format' };
    await refused(() => gateway.post(path, nul, { key }), 400, 'invalid_input', format);
    expect((await call(lease, 'heartbeat')).status).toBe(200);
  });

  it('of a cancelled task is 409 lease_lost with the directive cancel, until that is acknowledged', async () => {
    const { begin, call } = await openScene(gateway);
    const { task, lease } = await begin();
    await gateway.send('DELETE', `/v1/tasks/${task.id}`);
    const response = await call(lease, verb, body);
    expectError(response, 409, 'conflict', lost);
    const [{ id, kind }] = response.body.error.directives;
    expect(kind).toBe('cancel');
    expect((await call(lease, 'acknowledge', { directive_ids: [id] })).body.directives).toEqual([]);
    expect((await call(lease, verb, body)).body.error.directives).toEqual([]);
  });

  it('after the lease ran out is 409 lease_lost', async () => {
    const { role, begin, call } = await openScene(gateway);
    const { lease } = await begin();
    await expire(lease);
    // Until then this call is taken: late-completion.e2e.spec.ts.
    if (verb === 'complete') await claimByAnother(role);
    const kept = verb === 'complete' || verb === 'fail';
    if (kept) expectError(await call(lease, verb, body), 409, 'conflict', lost);
    await refused(() => call(lease, verb, body), 409, 'conflict', lost);
  });
});

async function claimByAnother(role: string): Promise<void> {
  await sweepExpiredLeases(gateway.test.database);
  const { id } = await gateway.make('/v1/agents', { name: 'other', role });
  expect((await gateway.post(`/v1/agents/${id}/claims`, {})).status).toBe(200);
}

const expire = (lease: Json) =>
  gateway.test.database.db.query("UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1", [
    lease.lease_id,
  ]);

describe('what a call may not say', () => {
  const bodies: [verb: string, body: object, field: string, constraint: string][] = [
    ['progress', { percent_complete: 101 }, 'percent_complete', 'max'],
    ['progress', { percent_complete: -1 }, 'percent_complete', 'min'],
    [
      'progress',
      {
        milestones: [
          { name: 'a', completed: true },
          { name: 'a', completed: false },
        ],
      },
      'milestones.1.name',
      'exists',
    ],
    ['checkpoint', {}, 'data', 'required'],
    ['checkpoint', { data: [] }, 'data', 'type'],
    ['checkpoint', { data: { text: 'x'.repeat(65_536) } }, 'data', 'max_size'],
    ['artifacts', { kind: 'song' }, 'kind', 'enum'],
    ['artifacts', { kind: 'link', url: 'x'.repeat(2_049) }, 'url', 'max_length'],
    ['acknowledge', { directive_ids: ['dir_none'] }, 'directive_ids.0', 'format'],
    ['complete', { scores: { code_quality: 101 } }, 'scores.code_quality', 'max'],
    ['fail', {}, 'reason', 'required'],
    ['fail', { reason: ' ' }, 'reason', 'required'],
    ['fail', { reason: 'r', retry_after_seconds: 86_401 }, 'retry_after_seconds', 'max'],
    ['release', { not_before_seconds: -1 }, 'not_before_seconds', 'min'],
    ['handoff', { to: {}, summary: 's' }, 'to', 'required'],
    ['handoff', { to: { role: 'qa', agent_id: 'agt_1' }, summary: 's' }, 'to', 'required'],
    ['handoff', { to: { role: '1' }, summary: 's' }, 'to.role', 'pattern'],
    ['handoff', { to: { agent_id: 'agt_none' }, summary: 's' }, 'to.agent_id', 'format'],
    ['handoff', { to: { role: 'qa' } }, 'summary', 'required'],
    ['heartbeat', { nonsense: 1 }, 'nonsense', 'unknown_field'],
  ];
  it.each(bodies)('%s %j is 400', async (verb, body, field, constraint) => {
    const { begin, call } = await openScene(gateway);
    const { lease } = await begin();
    await refused(() => call(lease, verb, body), 400, 'invalid_input', { field, constraint });
  });

  it('complete twice with different bodies is 409 state, with the same body 200', async () => {
    const { begin, call } = await openScene(gateway);
    const { lease } = await begin();
    const body = { summary: 'Done.', result: { b: 1, a: [2] } };
    await call(lease, 'complete', body);
    const rows = await gateway.rows();
    const again = await call(lease, 'complete', { result: { a: [2], b: 1 }, summary: 'Done.' });
    expect([again.status, again.body]).toEqual([200, { expires_at: null, directives: [] }]);
    expect(await gateway.rows()).toEqual(rows);
    const state = { field: 'lease_id', constraint: 'state' };
    await refused(() => call(lease, 'complete', { summary: 'Other.' }), 409, 'conflict', state);
  });
});

describe('a claim', () => {
  it('for a busy agent is 409 limit, for a paused one 409 state', async () => {
    const { id, begin, claim, addTask } = await openScene(gateway);
    await begin();
    await addTask();
    await refused(() => claim(), 409, 'conflict', { field: 'agent_id', constraint: 'limit' });
    await gateway.post(`/v1/agents/${id}/pause`, {});
    await refused(() => claim(), 409, 'conflict', { field: 'agent_id', constraint: 'state' });
  });

  it('with another agent’s key is 403, for no agent 404', async () => {
    const [one, other] = [await openScene(gateway), await openScene(gateway)];
    await one.addTask();
    const path = `/v1/agents/${one.id}/claims`;
    await refused(() => gateway.post(path, {}, { key: other.key }), 403, 'forbidden');
    await refused(() => gateway.post('/v1/agents/agt_none/claims', {}), 404, 'not_found');
  });

  it('of an agent of another role finds nothing', async () => {
    const [one, other] = [await openScene(gateway), await openScene(gateway)];
    const task = await one.addTask();
    expect((await other.claim()).status).toBe(204);
    expect((await one.claim()).body.task.id).toBe(task.id);
  });
});
