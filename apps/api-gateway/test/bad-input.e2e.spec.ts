import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiResponse, expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
let rows: Json;
beforeEach(async () => {
  rows = await gateway.rows();
});
const nothingWritten = async () => expect(await gateway.rows()).toEqual(rows);

describe('a task', () => {
  const least = { title: 't', description: 'd' };
  const cases: [string, Json, string, string][] = [
    ['a blank description', { ...least, description: ' \t\n\u2003 ' }, 'description', 'required'],
    ['null as the description', { ...least, description: null }, 'description', 'required'],
    ['a blank title', { ...least, title: ' ' }, 'title', 'required'],
    ['a number as the priority', { ...least, priority: 1 }, 'priority', 'enum'],
    ['a day that does not exist', { ...least, due_date: '2027-02-30' }, 'due_date', 'format'],
    ['a time of day that does not exist', { ...least, due_date: '2027-02-03T25:00:00Z' }, 'due_date', 'format'],
    ['a moment before all calendars', { ...least, due_date: '0000-01-01T00:00:00+23:59' }, 'due_date', 'format'],
    ['a moment after all calendars', { ...least, due_date: '9999-12-31T23:59:59-23:59' }, 'due_date', 'format'],
    ['an empty role', { ...least, assigned_role: '' }, 'assigned_role', 'pattern'],
    ['an unknown agent', { ...least, assigned_agent: 'agt_none' }, 'assigned_agent', 'format'],
    ['U+0000 deep in the metadata', { ...least, metadata: { a: [{ b: '\0' }] } }, 'metadata.a.0.b', 'format'],
    ['a surrogate in a key of the metadata', { ...least, metadata: { '\ud800': 1 } }, 'metadata.\ufffd', 'format'],
  ];
  it.each(cases)('with %s is 400 naming the field', async (_what, body, field, constraint) => {
    expectError(await gateway.post('/v1/tasks', body), 400, 'invalid_input', { field, constraint });
    await nothingWritten();
  });

  it('with only invalid fields gets every violation, in the order of the schema', async () => {
    const { body } = await gateway.post('/v1/tasks', { priority: 'x', title: '', tags: 1, other: 1 });
    expect(body.error.errors.map(({ field }: Json) => field)).toEqual([
      'title',
      'description',
      'priority',
      'tags',
      'other',
    ]);
    await nothingWritten();
  });
});

describe('a credential', () => {
  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['a short key', { 'x-api-key': 'x' }],
    ['an unknown key', { 'x-api-key': 'a-key-that-was-never-created-here' }],
    ['a key with a wrong checksum', { 'x-api-key': `eas_live_${'a'.repeat(38)}` }],
    ['an unknown bearer token', { authorization: 'Bearer abc' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
  ])('that is %s is 401 with a challenge, before the body is read', async (_what, headers) => {
    for (const response of [
      await gateway.send('POST', '/v1/tasks', '{"title":', { key: null, headers }),
      await gateway.get('/v1/tasks?nonsense=1', { key: null, headers }),
    ]) {
      expectError(response, 401, 'unauthorized');
      expect(response.headers.get('www-authenticate')).toMatch(/ApiKey|Bearer/);
    }
    await nothingWritten();
  });

  it('is 401 if one of two is wrong', async () => {
    expectError(await gateway.get('/v1/tasks', { headers: { authorization: 'Bearer abc' } }), 401, 'unauthorized');
  });

  it('without the scope is 403 naming it, before the body is read', async () => {
    const key = await gateway.makeKey(['tasks:read']);
    rows = await gateway.rows();
    const response = await gateway.send('POST', '/v1/tasks', '{"title":', { key });
    expectError(response, 403, 'forbidden');
    expect(response.body.error.message).toContain('tasks:write');
    await nothingWritten();
  });
});

describe('a query', () => {
  it('says the range of a number', async () => {
    expect((await gateway.get('/v1/tasks?limit=0')).body.error.message).toContain('from 1 to 100');
  });
});

describe('a path', () => {
  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/tasks/a/b', '/v1//tasks', '/v3/tasks', '/etc/passwd'])(
    '%s that is unknown is 404, with and without a key',
    async (path) => {
      for (const key of [undefined, null]) {
        const response = await gateway.get(path, key === null ? { key } : {});
        expectError(response, 404, 'not_found');
      }
    },
  );

  it.each(['/v2', '/v2/', '/v2/tasks'])('%s is 404 and names /v1', async (path) => {
    const response = await gateway.get(path);
    expectError(response, 404, 'not_found');
    expect(response.body.error.message).toContain('/v1');
  });

  it.each([
    ['DELETE', '/v1/tasks', 'GET, HEAD, POST'],
    ['PUT', '/v1/agents', 'GET, HEAD, POST'],
    ['POST', '/v1/tasks/tsk_1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/v1/agents/agt_1/claims', 'POST'],
    ['POST', '/v1/analytics/performance', 'GET, HEAD'],
    ['OPTIONS', '/v1/tasks', 'GET, HEAD, POST'],
  ])('called with %s %s is 405 and says %s', async (method, path, allow) => {
    for (const options of [{}, { key: null }]) {
      const response: ApiResponse = await gateway.send(method, path, undefined, options);
      expectError(response, 405, 'invalid_request');
      expect(response.headers.get('allow')).toBe(allow);
    }
  });

  it('is the same with a slash at its end', async () => {
    expect((await gateway.get('/v1/tasks/')).status).toBe(200);
  });
});

describe('a request id', () => {
  it.each(['abcdefgh', 'A-b.c_1234', 'x'.repeat(64)])('of the caller’s own, %s, is kept', async (id) => {
    const response = await gateway.get('/v1/nothing', { headers: { 'x-request-id': id } });
    expect([response.headers.get('x-request-id'), response.body.error.request_id]).toEqual([id, id]);
  });

  it.each(['short', 'x'.repeat(65), 'has blanks in it', '<script>alert(1)</script>'])(
    'like %s is replaced',
    async (id) => {
      const response = await gateway.get('/v1/tasks', { headers: { 'x-request-id': id } });
      expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    },
  );
});
