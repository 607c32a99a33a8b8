import { resolve } from 'node:path';
import { ensureShippedWorkflows, readShippedWorkflows } from '@eas/workflows';
import { describe, expect, it } from '@jest/globals';
import { baseUrl, expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
const task = { title: 'Do {{run.name}}', description: 'd' };
const step = (id: string, needs: string[] = [], more: object = {}) => ({
  id,
  name: id,
  role: 'rd',
  needs,
  task,
  ...more,
});
const definition = (more: object = {}) => ({
  name: 'Dependency update',
  description: 'Brings one up to date.',
  estimated_duration: '1-2 days',
  steps: [step('update'), step('test', ['update'])],
  ...more,
});
const patch = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('PATCH', path, JSON.stringify(body), { headers });

describe('workflows', () => {
  it('are listed with exactly the five fields of the interface and no further data', async () => {
    const tenantId = await gateway.test.createTenant();
    const shipped = readShippedWorkflows(resolve(import.meta.dirname, '../../../prisma/seed/workflows'));
    await ensureShippedWorkflows(gateway.test.context({ tenantId }), shipped);
    const key = await gateway.makeKey(['workflows:read'], { tenantId });
    const { status, body } = await gateway.get('/v1/workflows', { key });
    expect([status, Object.keys(body)]).toEqual([200, ['data']]);
    expect(body.data.map(({ name }: Json) => name).toSorted()).toEqual([
      'Bug Fix',
      'Code Review',
      'Feature Development',
      'Incident Response',
      'Release',
    ]);
    for (const workflow of body.data) {
      expect(Object.keys(workflow)).toEqual(['id', 'name', 'description', 'steps', 'estimated_duration']);
      expect(Number.isInteger(workflow.steps) && workflow.steps > 0).toBe(true);
    }
  });

  it('are paged, filtered and sorted by what they show', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['workflows:read', 'workflows:write'], { tenantId });
    for (const [name, estimated_duration] of [
      ['one', '3 days'],
      ['two', '1 day'],
      ['three', '2 days'],
    ])
      await gateway.make('/v1/workflows', definition({ name, estimated_duration }), { key });
    await gateway.make('/v1/workflows', definition({ name: 'four', steps: [step('a')] }), { key });
    const names = async (query: string) =>
      (await gateway.get(`/v1/workflows?${query}`, { key })).body.data.map(({ name }: Json) => name);
    expect(await names('')).toEqual(['four', 'three', 'two', 'one']);
    expect(await names('limit=2&offset=1')).toEqual(['three', 'two']);
    expect(await names('offset=9')).toEqual([]);
    expect(await names('sort=name')).toEqual(['four', 'one', 'three', 'two']);
    expect(await names('sort=steps&limit=1')).toEqual(['four']);
    expect(await names('steps=1')).toEqual(['four']);
    expect(await names('name=two&estimated_duration=1%20day')).toEqual(['two']);
    expect(await names('id=wfl_none')).toEqual([]);
    const { headers } = await gateway.get('/v1/workflows?limit=3&sort=name', { key });
    expect(headers.get('x-total-count')).toBe('4');
    const [, next = ''] = /^<([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    const last = await gateway.get(next, { key });
    expect([last.body.data.map(({ name }: Json) => name), last.headers.get('link')]).toEqual([['two'], null]);
    for (const [query, field, constraint] of [
      ['limit=101', 'limit', 'max'],
      ['after=', 'after', 'unknown_field'],
      ['sort=version', 'sort', 'enum'],
      ['steps=few', 'steps', 'type'],
    ])
      expectError(await gateway.get(`/v1/workflows?${query}`), 400, 'invalid_request', { field, constraint });
  });

  it('are made, and read with their definition under an ETag', async () => {
    const { status, body, headers } = await gateway.post('/v1/workflows', definition());
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([
      201,
      `${baseUrl}/v1/workflows/${body.id}`,
      '"1"',
    ]);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^wfl_[0-9a-z]{26}$/),
      name: 'Dependency update',
      steps: 2,
      estimated_duration: '1-2 days',
      version: 1,
      updated_at: body.created_at,
      definition: { parameters: {}, steps: [{ id: 'update' }, { id: 'test', needs: ['update'] }] },
    });
    const read = await gateway.get(`/v1/workflows/${body.id}`);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, body, '"1"']);
    const again = await gateway.make('/v1/workflows', body.definition);
    expect(again.definition).toEqual(body.definition);
  });

  it('are checked without being made, with the same violations', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['workflows:read', 'workflows:write'], { tenantId });
    const check = (body: object) => gateway.send('POST', '/v1/workflows/validate', JSON.stringify(body), { key });
    const valid = await check(definition());
    expect([valid.status, valid.text]).toEqual([204, '']);
    const wrong = definition({ steps: [step('a', ['gone']), step('a')] });
    const refused = await check(wrong);
    const made = await gateway.send('POST', '/v1/workflows', JSON.stringify(wrong), { key });
    expect([refused.status, refused.body.error.errors]).toEqual([400, made.body.error.errors]);
    const unknownAgent = definition({ steps: [step('a', [], { approval: { agent_id: 'agt_none' } })] });
    expect((await check(unknownAgent)).status).toBe(400);
    expect((await gateway.get('/v1/workflows', { key })).body.data).toEqual([]);
  });

  it('are made once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'a workflow' };
    const [first, second] = [
      await gateway.post('/v1/workflows', definition(), { headers }),
      await gateway.post('/v1/workflows', definition(), { headers }),
    ];
    expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
  });

  it('are changed by a merge patch, under the ETag that was read', async () => {
    const { id } = await gateway.make('/v1/workflows', definition({ parameters: { size: { type: 'integer' } } }));
    const path = `/v1/workflows/${id}`;
    const changed = await patch(path, { name: 'Renamed', steps: [step('only')] }, { 'if-match': '"1"' });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({
      name: 'Renamed',
      description: 'Brings one up to date.',
      steps: 1,
      version: 2,
    });
    expect(changed.body.definition.parameters).toEqual({ size: { type: 'integer', required: false } });
    expect((await patch(path, { parameters: null })).body.definition.parameters).toEqual({});
    const rows = await gateway.rows();
    const late = await patch(path, { name: 'Late' }, { 'if-match': '"2"' });
    expectError(late, 412, 'invalid_request', { field: 'If-Match', constraint: 'version' });
    expect(await gateway.rows()).toEqual(rows);
  });

  it('may say null for what they leave out, made or changed, in each step and parameter', async () => {
    const parameters = { x: { type: 'string', description: null, enum: null } };
    const steps = [step('only', [], { condition: null, timeout: null, retry: null, approval: null })];
    const { id, definition: kept } = await gateway.make('/v1/workflows', definition({ parameters, steps }));
    expect(kept.parameters).toEqual({ x: { type: 'string', required: false } });
    expect(Object.keys(kept.steps[0]).toSorted().join(' ')).toBe('duration id name needs retry role task');
    expect((await patch(`/v1/workflows/${id}`, { steps })).body).toMatchObject({ version: 1, definition: kept });
  });

  it('are archived: no run starts and lists leave them out, until that is taken back; runs go on', async () => {
    const tenantId = await gateway.test.createTenant();
    const key = await gateway.makeKey(['workflows:read', 'workflows:run', 'workflows:write'], { tenantId });
    const { id, version } = await gateway.make('/v1/workflows', definition({ name: 'Old' }), { key });
    await gateway.make('/v1/workflows', definition({ name: 'New' }), { key });
    const path = `/v1/workflows/${id}`;
    const start = () => gateway.post(`${path}/start`, { name: 'r' }, { key });
    const listed = async (query = '') =>
      (await gateway.get(`/v1/workflows?${query}`, { key })).body.data.map(({ name }: Json) => name);
    const run = (await start()).body;
    const { status, body, headers } = await gateway.post(`${path}/archive`, undefined, { key });
    expect([status, headers.get('etag'), body]).toMatchObject([
      200,
      '"1"',
      { version, archived_at: expect.any(String) },
    ]);
    expect((await gateway.post(`${path}/archive`, undefined, { key })).body).toEqual(body);
    expect((await gateway.get(path, { key })).body).toEqual(body);
    const refused = await start();
    expectError(refused, 409, 'conflict', { field: 'workflow_id', constraint: 'state' });
    expect(refused.body.error.message).toContain('Unarchive it');
    expect([await listed(), await listed('is_archived=true'), await listed('is_archived=any')]).toEqual([
      ['New'],
      ['Old'],
      ['New', 'Old'],
    ]);
    const going = await gateway.post(`/v1/runs/${run.workflow_run_id}/pause`, undefined, { key });
    expect(going.body).toMatchObject({ status: 'started', paused_at: expect.any(String) });
    const back = await gateway.post(`${path}/unarchive`, undefined, { key });
    expect([back.status, back.body]).toEqual([200, { ...body, archived_at: null }]);
    expect([await listed(), (await start()).status]).toEqual([['New', 'Old'], 201]);
  });

  it('stay the same when they are sent back as they were read', async () => {
    const { id } = await gateway.make('/v1/workflows', definition());
    const read = await gateway.get(`/v1/workflows/${id}`);
    const rows = await gateway.rows();
    const sent = await patch(`/v1/workflows/${id}`, read.body);
    expect([sent.status, sent.body]).toEqual([200, read.body]);
    expect(await gateway.rows()).toEqual(rows);
  });

  it.each(['wfl_01ks0000000000000000000000', 'nothing', '%20'])('%s is 404', async (id) => {
    expectError(await gateway.get(`/v1/workflows/${id}`), 404, 'not_found');
    expectError(await patch(`/v1/workflows/${id}`, { name: 'x' }), 404, 'not_found');
    expectError(await gateway.post(`/v1/workflows/${id}/archive`, undefined), 404, 'not_found');
  });
});

describe('a definition', () => {
  const at = (index: number, more: object) =>
    definition({ steps: definition().steps.map((one, n) => (n === index ? { ...one, ...more } : one)) });
  const withTask = (more: object) => at(1, { task: { ...task, ...more } });

  it.each<[string, object, string, string]>([
    ['no name', definition({ name: ' ' }), 'name', 'required'],
    ['no steps', definition({ steps: [] }), 'steps', 'min_length'],
    [
      'too many steps',
      definition({ steps: Array.from({ length: 101 }, (_, n) => step(`s${n}`)) }),
      'steps',
      'max_length',
    ],
    ['an unknown key', definition({ owner: 'x' }), 'owner', 'unknown_field'],
    [
      'a circle',
      definition({ steps: [step('a'), step('b', ['a', 'c']), step('c', ['b'])] }),
      'steps.1.needs.1',
      'format',
    ],
    ['a need that dangles', at(1, { needs: ['update', 'nothing'] }), 'steps.1.needs.1', 'exists'],
    ['two steps of one id', at(1, { id: 'update', needs: ['update'] }), 'steps.1.id', 'exists'],
    ['two steps that begin', at(1, { needs: [] }), 'steps.1.needs', 'required'],
    ['a role that is none', at(1, { role: '9 lives' }), 'steps.1.role', 'pattern'],
    ['an id that is none', at(0, { id: 'a.b' }), 'steps.0.id', 'pattern'],
    ['a step without a task', at(1, { task: undefined }), 'steps.1.task', 'required'],
    ['an approval by two', at(0, { approval: { role: 'qa', person: true } }), 'steps.0.approval', 'required'],
    ['an unknown approver', at(0, { approval: { agent_id: 'agt_x' } }), 'steps.0.approval.agent_id', 'format'],
    ['more attempts than there may be', at(0, { retry: { max_attempts: 11 } }), 'steps.0.retry.max_attempts', 'max'],
    ['a time-out of no time', at(0, { timeout: 0 }), 'steps.0.timeout', 'min'],
    [
      'a comparison that there is not',
      at(1, { condition: { path: 'run.name', op: 'like', value: 'x' } }),
      'steps.1.condition.op',
      'enum',
    ],
    ['a combination of nothing', at(1, { condition: { any: [] } }), 'steps.1.condition.any', 'min_length'],
    [
      'a condition on what comes later',
      at(1, { condition: { path: 'steps.test.status', op: 'exists' } }),
      'steps.1.condition.path',
      'exists',
    ],
    ['a condition of code', at(1, { condition: 'true' }), 'steps.1.condition', 'type'],
    ['a placeholder for nothing', withTask({ title: '{{secrets.key}}' }), 'steps.1.task.title', 'format'],
    [
      'an artifact of no kind',
      withTask({ contract: { artifacts: ['poem'] } }),
      'steps.1.task.contract.artifacts.0',
      'enum',
    ],
    [
      'a result schema with a pattern',
      withTask({ contract: { result_schema: { pattern: 'a' } } }),
      'steps.1.task.contract.result_schema.pattern',
      'unknown_field',
    ],
    ['a parameter of no type', definition({ parameters: { x: { type: 'date' } } }), 'parameters.x.type', 'enum'],
    [
      'a parameter with no name',
      definition({ parameters: { 'a b': { type: 'string' } } }),
      'parameters.a b',
      'pattern',
    ],
    [
      'another type for what all know',
      definition({ parameters: { due_date: { type: 'string' } } }),
      'parameters.due_date.type',
      'enum',
    ],
  ])(
    'with %s is refused naming the field, made or changed, and nothing is written',
    async (_what, body, field, constraint) => {
      const { id } = await gateway.make('/v1/workflows', definition());
      const rows = await gateway.rows();
      expectError(await gateway.post('/v1/workflows', body), 400, 'invalid_input', { field, constraint });
      expectError(await patch(`/v1/workflows/${id}`, body), 400, 'invalid_input', { field, constraint });
      expect(await gateway.rows()).toEqual(rows);
    },
  );

  it('of which much is wrong gets every violation', async () => {
    const { body } = await gateway.post(
      '/v1/workflows',
      definition({ steps: [step('a', ['x']), step('a', ['a', 'y'])] }),
    );
    expect(body.error.errors.map(({ field }: Json) => field)).toEqual([
      'steps.0.needs.0',
      'steps.1.id',
      'steps.1.needs.1',
      'steps.1.needs.0',
    ]);
  });
});
