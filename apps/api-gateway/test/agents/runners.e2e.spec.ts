import { defaultTenantLimits } from '@eas/db';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway({ limits: { ...defaultTenantLimits, runners: 3 } });
let [ada, bo, key]: Json[] = [];
let instances = 0;
const sent = (more: object = {}) => ({
  agent_id: ada.id,
  instance: `process ${(instances += 1)}`,
  host: 'build-1',
  os: 'linux',
  version: '0.1.0',
  preset: 'claude',
  preset_title: 'Claude Code',
  agent_version: '0.101.0',
  concurrency: 2,
  pid: 4_711,
  ...more,
});
const made: string[] = [];
async function register(more: object = {}): Promise<Json> {
  const runner = await gateway.make('/v1/runners', sent(more));
  made.push(runner.id);
  return runner;
}
const beat = (id: string, running: unknown = 0, options?: object) =>
  gateway.post(`/v1/runners/${id}/heartbeat`, { running }, options);
const remove = (id: string, options?: object) => gateway.send('DELETE', `/v1/runners/${id}`, undefined, options);
const presenceOf = async (id: string) => (await gateway.get(`/v1/runners/${id}`)).body.presence;

beforeAll(async () => {
  [ada, bo] = await Promise.all(['Ada', 'Bo'].map((name) => gateway.make('/v1/agents', { name, role: 'rd' })));
  key = await gateway.makeKey(['agent:self'], { agentId: ada.id });
});
afterEach(async () => {
  await gateway.test.startClock();
  for (const id of made.splice(0)) await remove(id);
});

describe('a runner', () => {
  it('registers once for each process, and updates its data', async () => {
    const body = sent();
    const first = await gateway.post('/v1/runners', body, { key });
    made.push(first.body.id);
    expect([first.status, first.headers.get('location')]).toEqual([201, `${baseUrl}/v1/runners/${first.body.id}`]);
    expect(first.body).toEqual({
      ...body,
      id: expect.stringMatching(/^rnr_[0-9a-z]{26}$/),
      running: 0,
      presence: 'online',
      draining: false,
      created_at: expect.any(String),
      last_seen_at: first.body.created_at,
    });
    await gateway.test.shiftClock(10);
    const again = await gateway.post('/v1/runners', { ...body, version: '0.2.0' }, { key });
    expect([again.status, again.body]).toEqual([
      200,
      { ...first.body, version: '0.2.0', last_seen_at: again.body.last_seen_at },
    ]);
    expect((await gateway.get(`/v1/runners/${first.body.id}`, { key })).body).toEqual(again.body);
  });

  it('registers once when it registers many times at the same moment', async () => {
    const body = sent();
    const responses = await Promise.all(Array.from({ length: 8 }, () => gateway.post('/v1/runners', body)));
    made.push(responses[0]?.body.id);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(responses.map(({ body: { id } }) => id)).size).toBe(1);
  });

  it('needs only its host and program', async () => {
    const { agent_id, instance, host, version, concurrency } = sent();
    const runner = await gateway.make('/v1/runners', { agent_id, instance, host, version, concurrency });
    made.push(runner.id);
    expect(runner).toMatchObject({ os: null, preset: null, preset_title: null, agent_version: null, pid: null });
  });

  it('is online for 90 seconds after it was seen', async () => {
    await gateway.test.stopClock();
    const { id } = await register();
    await gateway.test.shiftClock(89);
    expect(await presenceOf(id)).toBe('online');
    await gateway.test.shiftClock(91);
    expect(await presenceOf(id)).toBe('offline');
    expect((await beat(id, 2)).body).toEqual({ drain: false });
    const { body } = await gateway.get(`/v1/runners/${id}`);
    expect(body).toMatchObject({ presence: 'online', running: 2 });
    expect(Date.parse(body.last_seen_at) - Date.parse(body.created_at)).toBeGreaterThan(90_000);
  });

  it('is notified with its next heartbeat that it is to drain, also after a new registration', async () => {
    const runner = await register();
    const drained = await gateway.post(`/v1/runners/${runner.id}/drain`, undefined);
    expect([drained.status, drained.body]).toEqual([200, { ...runner, draining: true }]);
    expect((await gateway.post(`/v1/runners/${runner.id}/drain`, undefined)).body).toEqual(drained.body);
    expect((await beat(runner.id)).body).toEqual({ drain: true });
    expect((await gateway.post('/v1/runners', sent({ instance: runner.instance }))).body.draining).toBe(true);
  });

  it('is removed by itself or by people, and is unknown afterwards', async () => {
    const [own, other] = [await register(), await register()];
    expect((await remove(own.id, { key })).status).toBe(204);
    expect((await remove(other.id)).status).toBe(204);
    for (const { id } of [own, other]) {
      expectError(await beat(id), 404, 'not_found');
      expectError(await remove(id), 404, 'not_found');
      expectError(await gateway.get(`/v1/runners/${id}`), 404, 'not_found');
      expectError(await gateway.post(`/v1/runners/${id}/drain`, undefined), 404, 'not_found');
    }
  });

  it('is removed with its agent', async () => {
    const { id: agentId } = await gateway.make('/v1/agents', { name: 'Eve', role: 'rd' });
    const { id } = await register({ agent_id: agentId });
    await gateway.send('DELETE', `/v1/agents/${agentId}`);
    expectError(await beat(id), 404, 'not_found');
    const refused = await gateway.post('/v1/runners', sent({ agent_id: agentId }));
    expectError(refused, 400, 'invalid_input', { field: 'agent_id', constraint: 'format' });
  });
});

describe('the key of an agent', () => {
  it('registers, renews, reads and removes runners of its own agent alone', async () => {
    const { id } = await register({ agent_id: bo.id });
    expectError(await gateway.post('/v1/runners', sent({ agent_id: bo.id }), { key }), 403, 'forbidden');
    expectError(await beat(id, 0, { key }), 404, 'not_found');
    expectError(await gateway.get(`/v1/runners/${id}`, { key }), 404, 'not_found');
    expectError(await remove(id, { key }), 404, 'not_found');
    expectError(await gateway.post(`/v1/runners/${id}/drain`, undefined, { key }), 403, 'forbidden');
    expectError(await gateway.get('/v1/runners', { key }), 403, 'forbidden');
    expect(await presenceOf(id)).toBe('online');
  });
});

describe('runners', () => {
  it('are paged in both styles, filtered and sorted by what they show', async () => {
    const [first, second] = [
      await register({ host: 'b', preset: null }),
      await register({ host: 'a', agent_id: bo.id }),
    ];
    await gateway.test.shiftClock(100);
    await beat(second.id, 1);
    const list = async (query: string) => (await gateway.get(`/v1/runners?${query}`)).body;
    const ids = async (query: string) => (await list(query)).data.map(({ id }: Json) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('sort=host')).toEqual([second.id, first.id]);
    expect(await ids('sort=preset')).toEqual([second.id, first.id]);
    expect(await ids('sort=-last_seen_at')).toEqual([second.id, first.id]);
    expect(await ids('sort=presence')).toEqual([second.id, first.id]);
    expect(await ids(`agent_id=${ada.id}`)).toEqual([first.id]);
    expect(await ids('presence=offline')).toEqual([first.id]);
    expect(await ids('running=1&draining=false&version=0.1.0')).toEqual([second.id]);
    expect(await list('limit=1')).toMatchObject({
      data: [{ id: second.id, host: 'a', running: 1 }],
      metadata: { total: 2 },
    });
    const { pagination } = await list('after=&limit=1&sort=host');
    expect(pagination).toMatchObject({ total_count: 2, has_more: true });
    expect(await ids(`after=${pagination.next_cursor}&sort=host`)).toEqual([first.id]);
    expectError(await gateway.get('/v1/runners?presence=away'), 400, 'invalid_request', {
      field: 'presence',
      constraint: 'enum',
    });
  });

  it('of another tenant are 404', async () => {
    const { id } = await register();
    const tenantId = await gateway.test.createTenant();
    const other = { key: await gateway.makeKey(['agents:read', 'agents:write', 'admin'], { tenantId }) };
    expectError(await gateway.get(`/v1/runners/${id}`, other), 404, 'not_found');
    expectError(await beat(id, 0, other), 404, 'not_found');
    expectError(await remove(id, other), 404, 'not_found');
    expectError(await gateway.post('/v1/runners', sent(), other), 400, 'invalid_input', {
      field: 'agent_id',
      constraint: 'format',
    });
  });

  it('that are offline are replaced by new ones; those that are online are not', async () => {
    const [lost, , kept] = [await register(), await register(), await register()];
    expectError(await gateway.post('/v1/runners', sent()), 409, 'conflict', { field: '', constraint: 'limit' });
    expect((await gateway.post('/v1/runners', sent({ instance: kept.instance }))).status).toBe(200);
    await gateway.test.shiftClock(100);
    await beat(kept.id);
    await register();
    expectError(await beat(lost.id), 404, 'not_found');
    expect((await beat(kept.id)).status).toBe(200);
  });
});

describe('a registration is refused', () => {
  it.each<[object, string, string]>([
    [{ agent_id: null }, 'agent_id', 'required'],
    [{ agent_id: 'agt_01ks0000000000000000000000' }, 'agent_id', 'format'],
    [{ instance: '' }, 'instance', 'required'],
    [{ instance: 'x'.repeat(101) }, 'instance', 'max_length'],
    [{ host: ' ' }, 'host', 'required'],
    [{ host: 'x'.repeat(256) }, 'host', 'max_length'],
    [{ os: 7 }, 'os', 'type'],
    [{ version: null }, 'version', 'required'],
    [{ preset: 'x'.repeat(65) }, 'preset', 'max_length'],
    [{ concurrency: 0 }, 'concurrency', 'min'],
    [{ concurrency: 101 }, 'concurrency', 'max'],
    [{ concurrency: 1.5 }, 'concurrency', 'type'],
    [{ pid: 0 }, 'pid', 'min'],
    [{ user: 'root' }, 'user', 'unknown_field'],
  ])('for %j', async (more, field, constraint) => {
    const rows = await gateway.rows();
    expectError(await gateway.post('/v1/runners', sent(more)), 400, 'invalid_input', { field, constraint });
    expect(await gateway.rows()).toEqual(rows);
  });

  it.each([
    [-1, 'min'],
    ['2', 'type'],
    [null, 'required'],
  ])('and a heartbeat with %j tasks', async (running, constraint) => {
    const { id } = await register();
    expectError(await beat(id, running), 400, 'invalid_input', { field: 'running', constraint });
  });

  it.each(['rnr_01ks0000000000000000000000', 'nothing', '%20'])('and %s is 404', async (id) => {
    expectError(await beat(id), 404, 'not_found');
    expectError(await gateway.get(`/v1/runners/${id}`), 404, 'not_found');
    expectError(await remove(id), 404, 'not_found');
  });
});
