import { recordUsage } from '@eas/analytics';
import { sweepExpiredLeases, sweepUnreportedCalls } from '@eas/tasks';
import { maxUsageRows, type StoredEvent } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { workingWith } from './model-calls.ts';

const gateway = useGateway();
const working = workingWith(gateway);

const allowed = { allowed: true, reason: null, budget_id: null, wait_ms: null };
const tokens = (input: number) => ({ input_tokens: input });

describe('a call to a model', () => {
  it('may begin where no budget concerns it, and is counted', async () => {
    const { start, report, lease } = await working();
    expect(await start('a')).toMatchObject({ ...allowed, expires_at: expect.any(String), directives: [] });
    expect((await report('a', { ...tokens(5), output_tokens: 2 })).body).toMatchObject({ cost_usd: null });
    const sql = 'SELECT state, input_tokens::int AS input, cost, source FROM model_calls WHERE lease_id = $1';
    const rows = await gateway.test.database.db.query(sql, [lease.lease_id]);
    expect(rows).toEqual([{ state: 'closed', input: 5, cost: null, source: 'proxy' }]);
  });

  it('reserves what it may use, waits while others may use up what is left, and is refused when it is used up', async () => {
    const { start, report, budget, read } = await working();
    const limited = await budget({ limit: 40 });
    const current = async () => (await read(limited)).current;
    expect(await start('a', { input_tokens: 50 })).toMatchObject(allowed);
    expect(await current()).toMatchObject({ spent: 0, reserved: 60, is_exhausted: false });
    const wait = { allowed: false, reason: null, budget_id: limited.id, wait_ms: expect.any(Number) };
    expect(await start('b')).toMatchObject(wait);
    await report('a', tokens(39));
    expect(await current()).toMatchObject({ spent: 39, reserved: 0, is_exhausted: false });
    expect(await start('b')).toMatchObject(allowed);
    await report('b', tokens(20));
    expect(await current()).toMatchObject({ spent: 59, reserved: 0, is_exhausted: true });
    const refused = await start('c');
    expect(refused).toMatchObject({ allowed: false, budget_id: limited.id, wait_ms: null });
    expect(refused.reason).toMatch(/^The budget of the tenant is used up: 59 of 40 tokens on \d{4}-\d\d-\d\d\. Raise /);
  });

  it('counts once, however often it is started and reported', async () => {
    const { start, report, budget, read } = await working();
    const limited = await budget();
    for (let n = 0; n < 3; n += 1) expect(await start('a')).toMatchObject(allowed);
    expect((await read(limited)).current).toMatchObject({ reserved: 20 });
    for (let n = 0; n < 3; n += 1) expect((await report('a', tokens(30 + n))).status).toBe(200);
    expect(await start('a')).toMatchObject(allowed);
    expect((await read(limited)).current).toMatchObject({ spent: 30, reserved: 0 });
  });

  it('of many that begin at once under two leases exceeds a budget by one call at most', async () => {
    const { start, report, budget, read, lease, begin } = await working();
    const limited = await budget({ limit: 5, unit: 'calls' });
    const other = (await begin()).lease;
    const started: [string, Json][] = [];
    for (let round = 0; round < 4; round += 1) {
      const ids = Array.from({ length: 6 }, (_, n) => [`${round}-${n}`, n % 2 ? lease : other] as [string, Json]);
      const decisions = await Promise.all(ids.map(([id, of]) => start(id, {}, of)));
      const begun = ids.filter((_, at) => decisions[at].allowed);
      started.push(...begun);
      await Promise.all(begun.map(([id, of]) => report(id, {}, of)));
    }
    expect(started).toHaveLength(5);
    expect((await read(limited)).current).toMatchObject({ spent: 5, reserved: 0, is_exhausted: true });
  });

  it('must have been started, unless the agent itself says what it used', async () => {
    const { report, budget, read } = await working();
    const limited = await budget({ unit: 'usd', limit: 1 });
    const details = { field: 'call_id', constraint: 'state' };
    expectError(await report('a', tokens(5)), 409, 'conflict', details);
    const said = { ...tokens(5), source: 'agent', cost_usd: 0.25 };
    for (let n = 0; n < 2; n += 1) expect((await report('a', said)).body.cost_usd).toBe(0.25);
    expect((await read(limited)).current).toMatchObject({ spent: 0.25, unpriced_calls: 0 });
  });

  it('reports that it has used up a budget, so that the agent can stop', async () => {
    const { report, budget } = await working();
    const limited = await budget({ limit: 10 });
    const said = { ...tokens(6), source: 'agent' };
    expect((await report('a', said)).body).toMatchObject({ exhausted: null });
    const { exhausted } = (await report('b', said)).body;
    expect(exhausted).toMatch(/^The budget of the tenant is used up: 12 of 10 tokens on /);
    expect(exhausted).toContain(limited.id);
  });

  it('is found when the clock was set back since the lease began', async () => {
    const { start, report, lease } = await working();
    const later = `UPDATE leases SET started_at = app_now() + interval '1 hour' WHERE id = $1`;
    await gateway.test.database.db.query(later, [lease.lease_id]);
    await start('a');
    expect((await report('a', tokens(5))).status).toBe(200);
  });

  it('counts as estimated when its usage does not come, and is corrected when it does', async () => {
    const { start, report, budget, read, lease } = await working();
    const limited = await budget();
    await start('a');
    const late = `UPDATE model_calls SET due_at = app_now() - interval '1 second' WHERE lease_id = $1`;
    await gateway.test.database.db.query(late, [lease.lease_id]);
    expect(await sweepUnreportedCalls(gateway.test.database)).toBe(1);
    expect(await sweepUnreportedCalls(gateway.test.database)).toBe(0);
    expect((await read(limited)).current).toMatchObject({ spent: 20, reserved: 0, estimated_calls: 1 });
    await report('a', tokens(3));
    expect((await read(limited)).current).toMatchObject({ spent: 3, reserved: 0, estimated_calls: 0 });
  });

  it('counts also when the lease is lost before its usage comes, and none begins then', async () => {
    const { call, start, report, budget, read, lease } = await working();
    const limited = await budget();
    await start('a');
    const sql = "UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $1";
    await gateway.test.database.db.query(sql, [lease.lease_id]);
    await sweepExpiredLeases(gateway.test.database);
    expect((await report('a', tokens(7))).body).toMatchObject({ expires_at: null, cost_usd: null });
    expect((await read(limited)).current).toMatchObject({ spent: 7, reserved: 0 });
    const begun = await call('model-calls', { call_id: 'b', model: 'm', input_tokens: 1, max_output_tokens: 1 });
    expectError(begun, 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
    const forged = await report('a', {}, { ...lease, fencing_token: lease.fencing_token + 5 });
    expectError(forged, 409, 'conflict', { field: 'fencing_token', constraint: 'lease_lost' });
  });

  it('counts in the period in which it began, also when it ends after midnight', async () => {
    const { start, report, budget, read } = await working();
    const limited = await budget();
    await start('a');
    await gateway.test.shiftClock(86_400);
    await report('a', tokens(9));
    expect((await read(limited)).current).toMatchObject({ spent: 0, reserved: 0 });
    await gateway.test.shiftClock(0);
    expect((await read(limited)).current).toMatchObject({ spent: 9, reserved: 0 });
  });

  it('concerns the budgets of its tenant, project, role, agent and task, and no others', async () => {
    const { key, role, id, start, report, budget, read, begin, makeOther } = await working();
    const other = await makeOther();
    const project = await gateway.make('/v1/projects', { name: role }, { key });
    const { lease } = await begin({ project: project.id });
    const all = [
      await budget(),
      await budget({ scope: 'project', scope_id: project.id }),
      await budget({ scope: 'role', scope_id: role, period: 'month' }),
      await budget({ scope: 'agent', scope_id: id }),
      await budget({ scope: 'agent', scope_id: other.id }),
    ];
    const ofTasks = [await budget({ scope: 'task', limit: 10 }), await budget({ period: 'task', limit: 10 })];
    await start('a', {}, lease);
    await report('a', tokens(9), lease);
    const spent = await Promise.all(all.map(async (one) => (await read(one)).current.spent));
    expect(spent).toEqual([9, 9, 9, 9, 0]);
    expect((await Promise.all(ofTasks.map(read))).map(({ current }) => current)).toEqual([null, null]);
    await start('b', {}, lease);
    await report('b', tokens(1), lease);
    const refused = await start('c', {}, lease);
    expect(refused).toMatchObject({ allowed: false, budget_id: ofTasks[0]?.id });
    expect(refused.reason).toContain('The budget of this task is used up: 10 of 10 tokens');
    expect(await start('other-task')).toMatchObject(allowed);
  });

  it.each<[string, object, string, string]>([
    ['no model', { model: '' }, 'model', 'required'],
    ['an id with spaces', { call_id: 'a b' }, 'call_id', 'pattern'],
    ['a negative number', { input_tokens: -1 }, 'input_tokens', 'min'],
    ['too many tokens', { max_output_tokens: 2_000_000_000 }, 'max_output_tokens', 'max'],
    ['an unknown field', { cost: 1 }, 'cost', 'unknown_field'],
  ])('with %s is refused', async (_title, wrong, field, constraint) => {
    const { call } = await working();
    const body = { call_id: 'a', model: 'm', input_tokens: 1, max_output_tokens: 1, ...wrong };
    expectError(await call('model-calls', body), 400, 'invalid_input', { field, constraint });
  });
});

describe('a budget that is nearly and then wholly used up', () => {
  it('sends one event for each, and one more for each after it was raised', async () => {
    const { start, report, budget, events, key, task } = await working();
    const limited = await budget({ limit: 10, unit: 'calls' });
    const use = async (name: string, count: number) => {
      for (let n = 0; n < count; n += 1) {
        await start(`${name}${n}`);
        await report(`${name}${n}`);
      }
    };
    await use('a', 7);
    expect(await events()).toEqual([]);
    await use('b', 3);
    const types = async () => (await events()).map(({ type }) => type);
    expect(await types()).toEqual(['budget.warning', 'budget.exhausted']);
    const data = { budget_id: limited.id, limit: 10, unit: 'calls', spent: 10, task_id: task.id };
    expect((await events())[1]?.data).toMatchObject(data);
    expect((await start('c')).allowed).toBe(false);
    const raised = JSON.stringify({ limit: 11 });
    await gateway.send('PATCH', `/v1/budgets/${limited.id}`, raised, { key });
    await use('d', 3);
    expect(await types()).toEqual(['budget.warning', 'budget.exhausted', 'budget.exhausted']);
  });
});

describe('an agent whose budget is used up', () => {
  it('claims nothing until the limit is raised or the period ends, and the task says what it waits for', async () => {
    const { key, id, role, task, lease, call, start, report, budget } = await working();
    const limited = await budget({ scope: 'role', scope_id: role, unit: 'calls', limit: 1 });
    await start('a');
    await report('a');
    await call('release', { reason: 'r', not_before_seconds: 0 });
    const claim = () => gateway.post(`/v1/agents/${id}/claims`, {}, { key });
    expect((await claim()).status).toBe(204);
    const waiting = async () => (await gateway.get(`/v1/tasks/${task.id}`, { key })).body.waiting_on;
    expect(await waiting()).toMatchObject({ kind: 'budget', id: limited.id, deadline: expect.any(String) });
    await gateway.test.shiftClock(86_400);
    expect(await waiting()).toMatchObject({ kind: 'agent' });
    await gateway.test.shiftClock(0);
    await gateway.send('PATCH', `/v1/budgets/${limited.id}`, JSON.stringify({ limit: 2 }), { key });
    const claimed = await claim();
    expect([claimed.status, claimed.body.task.id]).toEqual([200, task.id]);
    expect(lease.lease_id).not.toBe(claimed.body.lease.lease_id);
  });

  it('claims while budgets of other agents, or of single tasks, are used up', async () => {
    const { begin, start, report, budget, makeOther } = await working();
    const other = await makeOther();
    await budget({ scope: 'agent', scope_id: other.id, unit: 'calls', limit: 0 });
    await budget({ scope: 'task', unit: 'calls', limit: 1 });
    await start('a');
    await report('a');
    expect((await begin()).task.status).toBe('in_progress');
  });
});

describe('a project whose budget is used up', () => {
  it('is skipped by claims, which take tasks of other projects and of none, and its tasks wait for the budget', async () => {
    const { key, id, role, begin, start, report, budget } = await working({ max_concurrent_tasks: 20 });
    const project = await gateway.make('/v1/projects', { name: role }, { key });
    const other = await gateway.make('/v1/projects', { name: `${role} 2` }, { key });
    const limited = await budget({ scope: 'project', scope_id: project.id, unit: 'calls', limit: 1 });
    const { lease } = await begin({ project: project.id });
    await start('a', {}, lease);
    await report('a', {}, lease);
    const make = (title: string, more: object): Promise<Json> =>
      gateway.make('/v1/tasks', { title, description: 'd', assigned_role: role, ...more }, { key });
    const waiting = await make('spent', { project: project.id });
    await make('spent too', { project: project.id, assigned_agent: id });
    await make('other', { project: other.id });
    await make('none', {});
    await make('any role', { project: other.id, assigned_role: undefined });
    const claim = async (body: object = {}) => {
      const { status, body: claimed } = await gateway.post(`/v1/agents/${id}/claims`, body, { key });
      return status === 204 ? undefined : claimed.task.title;
    };
    expect(await claim({ projects: [project.id] })).toBeUndefined();
    const taken = await Promise.all([1, 2, 3, 4].map(() => claim()));
    expect(taken.toSorted()).toEqual(['any role', 'none', 'other', undefined]);
    const read = async () => (await gateway.get(`/v1/tasks/${waiting.id}`, { key })).body.waiting_on;
    expect(await read()).toMatchObject({ kind: 'budget', id: limited.id });
    await gateway.send('PATCH', `/v1/budgets/${limited.id}`, JSON.stringify({ limit: 2 }), { key });
    expect(await read()).toMatchObject({ kind: 'agent' });
    expect([await claim({ projects: [project.id] }), await claim()]).toEqual(['spent', 'spent too']);
  });
});

describe('what models cost', () => {
  const prices = {
    'big-*': { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
    'big-1': { input: 1, output: 2 },
  };
  const patch = (body: object, key: string, headers: Record<string, string> = {}) =>
    gateway.send('PATCH', '/v1/model-prices', JSON.stringify(body), { key, headers });

  it('is by the price of the exact name, or of the longest beginning', async () => {
    const { key, start, report, budget, read } = await working();
    expect((await gateway.get('/v1/model-prices', { key })).body).toEqual({ prices: {}, version: 0, updated_at: null });
    expect((await patch({ prices: { ...prices, '*': { input: 100, output: 0 } } }, key)).status).toBe(200);
    const limited = await budget({ unit: 'usd', limit: 1 });
    const costs = [];
    for (const model of ['big-1', 'big-2', 'small']) {
      await start(model, { model });
      costs.push((await report(model, { model, ...tokens(1_000), output_tokens: 1_000 })).body.cost_usd);
    }
    expect(costs).toEqual([0.003, 0.018, 0.1]);
    expect((await read(limited)).current).toMatchObject({ spent: 0.121, unpriced_calls: 0 });
  });

  it('is unknown without a price: counted in tokens, and said', async () => {
    const { start, report, budget, read } = await working();
    const [usd, ofTokens] = [await budget({ unit: 'usd', limit: 1 }), await budget()];
    await start('a');
    await report('a', tokens(50));
    expect((await read(usd)).current).toMatchObject({ spent: 0, unpriced_calls: 1 });
    expect((await read(ofTokens)).current).toMatchObject({ spent: 50, unpriced_calls: 1 });
  });

  it('is changed under the ETag that was read, and null removes a price', async () => {
    const { key } = await working();
    const first = await patch({ prices }, key, { 'if-match': '"0"' });
    expect([first.status, first.headers.get('etag'), first.body.version]).toEqual([200, '"1"', 1]);
    expect(first.body.prices['big-1']).toEqual({ input: 1, output: 2, cache_read: 1, cache_write: 1 });
    expectError(await patch({ prices }, key, { 'if-match': '"0"' }), 412, 'invalid_request', {
      field: 'If-Match',
      constraint: 'version',
    });
    const second = await patch({ prices: { 'big-*': null } }, key, { 'if-match': '"1"' });
    expect(Object.keys(second.body.prices)).toEqual(['big-1']);
    const wrong = await patch({ prices: { 'a*b': { input: 1, output: 1 } } }, key);
    expect(wrong.status).toBe(400);
    const fine = await patch({ prices: { a: { input: 0.0000001, output: 1 } } }, key);
    expectError(fine, 400, 'invalid_input', { field: 'prices.a.input', constraint: 'format' });
  });
});

describe('usage in analytics', () => {
  it('is summed up by hour and day, and by all that a call belongs to', async () => {
    const { tenantId, key, id, role, task, start, report, lease } = await working();
    await start('a');
    await start('b', { model: 'n' });
    await report('a', { ...tokens(5), output_tokens: 1 });
    const sql = 'UPDATE model_calls SET due_at = app_now() WHERE call_id = $1 AND lease_id = $2';
    await gateway.test.database.db.query(sql, ['b', lease.lease_id]);
    await sweepUnreportedCalls(gateway.test.database);
    await report('b', { ...tokens(7), model: 'n' });
    const recorded = await gateway.test.database.db.query<StoredEvent>(
      `SELECT event_type AS type, occurred_at AS "occurredAt", data FROM events WHERE tenant_id = $1 AND event_type = 'usage.recorded'`,
      [tenantId],
    );
    expect(recorded).toHaveLength(3);
    await recordUsage(gateway.test.context({ tenantId }), recorded);
    const usage = async (query: string) => (await gateway.get(`/v1/analytics/usage?${query}`, { key })).body;
    const sums = { calls: 2, unpriced_calls: 2, estimated_calls: 0, input_tokens: 12, output_tokens: 1, cost_usd: 0 };
    for (const [by, value] of Object.entries({ task: task.id, attempt: lease.lease_id, agent: id, role })) {
      const { total, groups, points } = await usage(`group_by=${by}`);
      expect(groups).toMatchObject([{ key: value, ...sums }]);
      expect(total).toMatchObject(sums);
      expect([points.length, points.at(-1)]).toMatchObject([30, sums]);
    }
    const ofModels = await usage('interval=hour');
    expect(ofModels.groups.map(({ key: model, input_tokens }: Json) => [model, input_tokens])).toEqual([
      ['n', 7],
      ['m', 5],
    ]);
    expect((await usage('group_by=model&key=n')).total).toMatchObject({ calls: 1, input_tokens: 7 });
    expect((await usage('group_by=run')).groups).toEqual([]);
    const { text, headers } = await gateway.get('/v1/analytics/usage.csv', { key });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="usage-by-model.csv"');
    const day = ofModels.points.at(-1).at.slice(0, 10);
    expect(text.split('\r\n')).toEqual([
      'at,key,calls,unpriced_calls,estimated_calls,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost_usd',
      `${day}T00:00:00Z,m,1,1,0,5,1,0,0,0`,
      `${day}T00:00:00Z,n,1,1,0,7,0,0,0,0`,
      '',
    ]);
  });

  it('is exported without formulas, and refused with how to ask for less where it is too much', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['analytics:read'], { tenantId });
    const fill = (keys: string) =>
      gateway.test.database.db.query(
        `INSERT INTO analytics_usage (tenant_id, dimension, grain, at, key, calls)
         SELECT $1, 'model', 'day', date_trunc('day', app_now(), 'UTC'), key, 1 FROM (${keys}) AS k (key)`,
        [tenantId],
      );
    await fill(`VALUES ('=cmd()'), ('a,"b"'), ('@x')`);
    const csv = (query = '') => gateway.get(`/v1/analytics/usage.csv${query}`, { key });
    const keys = (await csv()).text.split('\r\n').map((line) => line.replace(/^[^,]*,(.*?)(,\d+){8}$/, '$1'));
    expect(keys.slice(1, -1)).toEqual(["'=cmd()", "'@x", '"a,""b"""']);
    await fill(`SELECT 'k' || n FROM generate_series(1, ${maxUsageRows}) AS n`);
    const refused = await csv();
    expectError(refused, 400, 'invalid_request', { field: 'from', constraint: 'max' });
    expect(refused.body.error.message).toContain('ask for a shorter range');
    expect((await csv('?key=k7')).text.split('\r\n')).toHaveLength(3);
  });
});
