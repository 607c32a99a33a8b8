import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, expectEnvelope, expectError, type Json, useGateway } from './gateway.ts';

const gateway = useGateway();
let agentId = '';
let leaseId = '';
let rows: Json;

beforeAll(async () => {
  agentId = (await gateway.make('/v1/agents', { name: 'Ada', role: 'bad-input' })).id;
  await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'bad-input' });
  leaseId = (await gateway.post(`/v1/agents/${agentId}/claims`, {})).body.lease.lease_id;
});
beforeEach(async () => {
  rows = await gateway.rows();
});

type Path = () => string;
/** Every route with a body: a body that it takes, and how its fields can be broken. */
const withBody: [string, Path, Json, string][] = [
  ['tasks', () => '/v1/tasks', { title: 't', description: 'd' }, 'title'],
  ['agents', () => '/v1/agents', { name: 'n', role: 'rd' }, 'name'],
  ['webhooks', () => '/v1/webhooks', { url: 'https://example.com', events: ['*'] }, 'url'],
  ['integrations', () => '/v1/integrations', { type: 'github', org_name: 'o', secret: 's' }, 'org_name'],
  ['claims', () => `/v1/agents/${agentId}/claims`, { wait_seconds: 0 }, 'wait_seconds'],
  ['heartbeat', () => `/v1/leases/${leaseId}/heartbeat`, { fencing_token: 1 }, 'fencing_token'],
  ['progress', () => `/v1/leases/${leaseId}/progress`, { fencing_token: 1, comment: 'c' }, 'comment'],
  ['complete', () => `/v1/leases/${leaseId}/complete`, { fencing_token: 1, summary: 's' }, 'summary'],
];
const nothingWritten = async () => expect(await gateway.rows()).toEqual(rows);

describe.each(withBody)('a broken body for %s', (_name, path, valid, field) => {
  it.each([
    ['is cut off', '{"title":'],
    ['is no JSON', 'hello'],
    ['has a trailing comma', '{"a":1,}'],
    ['is two values', '{}{}'],
    ['is NaN', 'NaN'],
    ['is XML', '<task/>'],
  ])('that %s is 400 invalid_request', async (_what, text) => {
    const answer = await gateway.send('POST', path(), text);
    expectError(answer, 400, 'invalid_request', { field: 'body', constraint: 'format' });
    await nothingWritten();
  });

  it.each([
    ['bytes that are no UTF-8', [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]],
    ['an overlong encoding', [0x22, 0xc0, 0x80, 0x22]],
    ['a surrogate encoded as UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('with %s is 400 invalid_request', async (_what, bytes) => {
    const answer = await gateway.send('POST', path(), Buffer.from(bytes));
    expectError(answer, 400, 'invalid_request', { field: 'body', constraint: 'format' });
    await nothingWritten();
  });

  it.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"text"'],
    ['a number', '42'],
    ['true', 'true'],
  ])('that is %s instead of an object is 400 invalid_input', async (_what, text) => {
    const answer = await gateway.send('POST', path(), text);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    expectEnvelope(answer);
    await nothingWritten();
  });

  it('with an unknown key is 400 naming the key', async () => {
    const answer = await gateway.post(path(), { ...valid, surprise: 1 });
    expectError(answer, 400, 'invalid_input', { field: 'surprise', constraint: 'unknown_field' });
    await nothingWritten();
  });

  it('with a field of another type is 400 naming the field', async () => {
    for (const wrong of [{}, [], true, [[1]]]) {
      const answer = await gateway.post(path(), { ...valid, [field]: wrong });
      expectError(answer, 400, 'invalid_input', { field, constraint: 'type' });
    }
    await nothingWritten();
  });

  it.each([
    ['U+0000', '"a\\u0000b"'],
    ['a lone high surrogate', '"a\\ud800"'],
    ['a lone low surrogate', '"\\udc00a"'],
  ])('with %s in a value or a key is 400 naming the place', async (_what, text) => {
    const inValue = await gateway.send('POST', path(), `{"${field}":${text}}`);
    expectError(inValue, 400, 'invalid_input', { field, constraint: 'format' });
    const inKey = await gateway.send('POST', path(), `{${text}:1}`);
    expect([inKey.status, inKey.body.error.details.constraint]).toEqual([400, 'format']);
    expectEnvelope(inKey);
    await nothingWritten();
  });

  it.each([33, 5_000, 100_000])('nested %d deep is 400', async (depth) => {
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const answer = await gateway.send('POST', path(), `{"${field}":${deep}}`);
    expectError(answer, 400, 'invalid_input', { field, constraint: 'max_size' });
    await nothingWritten();
  });

  it('over 1 MiB is 413', async () => {
    const text = JSON.stringify({ ...valid, [field]: 'x'.repeat(1_048_576) });
    const answer = await gateway.send('POST', path(), text);
    expectError(answer, 413, 'invalid_request', { field: 'body', constraint: 'max_size' });
    await nothingWritten();
  });

  it('of another content type is 415, and of any JSON type it is read', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const answer = await gateway.send('POST', path(), JSON.stringify(valid), { headers: { 'content-type': type } });
      expectError(answer, 415, 'invalid_request', { field: 'Content-Type', constraint: 'format' });
    }
    const packed = await gateway.send('POST', path(), '{}', { headers: { 'content-encoding': 'gzip' } });
    expectError(packed, 415, 'invalid_request', { field: 'Content-Encoding', constraint: 'format' });
    for (const type of ['application/vnd.api+json', 'application/json; charset=utf-8', 'text/json', '']) {
      const answer = await gateway.send('POST', path(), '{"surprise":1}', { headers: { 'content-type': type } });
      expect([type, answer.status, answer.body.error.code]).toEqual([type, 400, 'invalid_input']);
    }
    await nothingWritten();
  });
});

describe('a task', () => {
  const least = { title: 't', description: 'd' };
  const cases: [string, Json, string, string][] = [
    ['no description', { title: 't' }, 'description', 'required'],
    ['an empty description', { ...least, description: '' }, 'description', 'required'],
    ['a blank description', { ...least, description: ' \t\n\u2003 ' }, 'description', 'required'],
    ['null as the description', { ...least, description: null }, 'description', 'required'],
    ['no title', { description: 'd' }, 'title', 'required'],
    ['a blank title', { ...least, title: ' ' }, 'title', 'required'],
    ['a title of 501', { ...least, title: 'x'.repeat(501) }, 'title', 'max_length'],
    ['a description of 65,537', { ...least, description: 'x'.repeat(65_537) }, 'description', 'max_length'],
    ['a number as the title', { ...least, title: 7 }, 'title', 'type'],
    ['an unknown priority', { ...least, priority: 'huge' }, 'priority', 'enum'],
    ['a number as the priority', { ...least, priority: 1 }, 'priority', 'enum'],
    ['a day that does not exist', { ...least, due_date: '2027-02-30' }, 'due_date', 'format'],
    ['a time of day that does not exist', { ...least, due_date: '2027-02-03T25:00:00Z' }, 'due_date', 'format'],
    ['words as the due date', { ...least, due_date: 'tomorrow' }, 'due_date', 'format'],
    ['a number as the due date', { ...least, due_date: 1_800_000_000 }, 'due_date', 'type'],
    ['a moment before all calendars', { ...least, due_date: '0000-01-01T00:00:00+23:59' }, 'due_date', 'format'],
    ['a moment after all calendars', { ...least, due_date: '9999-12-31T23:59:59-23:59' }, 'due_date', 'format'],
    ['a role that is none', { ...least, assigned_role: '1st' }, 'assigned_role', 'pattern'],
    ['an empty role', { ...least, assigned_role: '' }, 'assigned_role', 'pattern'],
    ['an unknown agent', { ...least, assigned_agent: 'agt_none' }, 'assigned_agent', 'format'],
    ['an empty tag', { ...least, tags: ['a', ''] }, 'tags.1', 'required'],
    ['a tag of 65', { ...least, tags: ['x'.repeat(65)] }, 'tags.0', 'max_length'],
    ['51 tags', { ...least, tags: Array(51).fill('x') }, 'tags', 'max_length'],
    ['a text as the tags', { ...least, tags: 'a' }, 'tags', 'type'],
    ['metadata over 64 KiB', { ...least, metadata: { x: 'x'.repeat(65_536) } }, 'metadata', 'max_size'],
    ['a list as the metadata', { ...least, metadata: [] }, 'metadata', 'type'],
    ['U+0000 deep in the metadata', { ...least, metadata: { a: [{ b: '\0' }] } }, 'metadata.a.0.b', 'format'],
    ['a surrogate in a key of the metadata', { ...least, metadata: { '\ud800': 1 } }, 'metadata.\ufffd', 'format'],
  ];
  it.each(cases)('with %s is 400 naming the field', async (_what, body, field, constraint) => {
    expectError(await gateway.post('/v1/tasks', body), 400, 'invalid_input', { field, constraint });
    await nothingWritten();
  });

  it('of which everything is wrong gets every violation, in the order of the schema', async () => {
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
    ['a key nobody made', { 'x-api-key': 'a-key-that-nobody-ever-made-here' }],
    ['a key with a wrong checksum', { 'x-api-key': `eas_live_${'a'.repeat(38)}` }],
    ['a bearer token nobody issued', { authorization: 'Bearer abc' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
  ])('that is %s is 401 with a challenge, before the body is looked at', async (_what, headers) => {
    for (const answer of [
      await gateway.send('POST', '/v1/tasks', '{"title":', { key: null, headers }),
      await gateway.get('/v1/tasks?nonsense=1', { key: null, headers }),
    ]) {
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers.get('www-authenticate')).toMatch(/ApiKey|Bearer/);
    }
    await nothingWritten();
  });

  it('of which one of two is wrong is 401', async () => {
    expectError(await gateway.get('/v1/tasks', { headers: { authorization: 'Bearer abc' } }), 401, 'unauthorized');
  });

  it('without the scope is 403 naming it, before the body is looked at', async () => {
    const key = await gateway.makeKey(['tasks:read']);
    const answer = await gateway.send('POST', '/v1/tasks', '{"title":', { key });
    expectError(answer, 403, 'forbidden');
    expect(answer.body.error.message).toContain('tasks:write');
    await nothingWritten();
  });
});

describe('a query', () => {
  const lists = ['/v1/tasks', '/v1/agents', '/v1/webhooks', '/v1/integrations'];
  const cases: [string, string, string][] = [
    ['limit=0', 'limit', 'min'],
    ['limit=101', 'limit', 'max'],
    ['limit=-1', 'limit', 'min'],
    ['limit=1.5', 'limit', 'type'],
    ['limit=ten', 'limit', 'type'],
    ['limit=', 'limit', 'type'],
    ['limit=99999999999999999999', 'limit', 'type'],
    ['offset=-1', 'offset', 'min'],
    ['offset=1e3', 'offset', 'type'],
    ['limit=1&limit=2', 'limit', 'type'],
    ['nonsense=1', 'nonsense', 'unknown_field'],
    ['Limit=1', 'Limit', 'unknown_field'],
    ['__proto__=1&nonsense=1', 'nonsense', 'unknown_field'],
    ['offset=%ff', 'offset', 'format'],
    ['offset=%00', 'offset', 'format'],
    ['%ff=1', '', 'format'],
  ];
  it.each(lists.flatMap((path) => cases.map((one) => [path, ...one] as const)))(
    'GET %s?%s is 400 naming the parameter',
    async (path, query, field, constraint) => {
      const answer = await gateway.get(`${path}?${query}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.details).toEqual({ field, constraint });
      expectEnvelope(answer);
    },
  );

  it.each(lists.slice(0, 3))('GET %s names what it can be sorted by', async (path) => {
    for (const sort of ['nonsense', '', '--created_at', 'created_at,id', 'tenant_id', 'id;drop table tasks'])
      expectError(await gateway.get(`${path}?sort=${sort}`), 400, 'invalid_request', {
        field: 'sort',
        constraint: 'enum',
      });
  });

  it('says the range of a number', async () => {
    expect((await gateway.get('/v1/tasks?limit=0')).body.error.message).toContain('from 1 to 100');
  });

  it('may carry what trackers add', async () => {
    for (const path of lists) expect((await gateway.get(`${path}?_=1&utm_source=x&_=2`)).status).toBe(200);
  });
});

describe('a path', () => {
  it.each(['/', '/v1', '/v1/', '/v1/nothing', '/v1/tasks/a/b', '/v1//tasks', '/v3/tasks', '/etc/passwd'])(
    '%s that is unknown is 404, with and without a key',
    async (path) => {
      for (const key of [undefined, null]) {
        const answer = await gateway.get(path, key === null ? { key } : {});
        expectError(answer, 404, 'not_found');
      }
    },
  );

  it.each(['/v2', '/v2/', '/v2/tasks'])('%s is 404 and names /v1', async (path) => {
    const answer = await gateway.get(path);
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('/v1');
  });

  it.each([
    ['DELETE', '/v1/tasks', 'GET, HEAD, POST'],
    ['PUT', '/v1/agents', 'GET, HEAD, POST'],
    ['POST', '/v1/tasks/tsk_1', 'GET, HEAD'],
    ['GET', '/v1/agents/agt_1/claims', 'POST'],
    ['POST', '/v1/analytics/performance', 'GET, HEAD'],
    ['OPTIONS', '/v1/tasks', 'GET, HEAD, POST'],
  ])('called with %s %s is 405 and says %s', async (method, path, allow) => {
    for (const options of [{}, { key: null }]) {
      const answer: Answer = await gateway.send(method, path, undefined, options);
      expectError(answer, 405, 'invalid_request');
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it('is the same with a slash at its end', async () => {
    expect((await gateway.get('/v1/tasks/')).status).toBe(200);
  });
});

describe('a request id', () => {
  it.each(['abcdefgh', 'A-b.c_1234', 'x'.repeat(64)])('of the caller’s own, %s, is kept', async (id) => {
    const answer = await gateway.get('/v1/nothing', { headers: { 'x-request-id': id } });
    expect([answer.headers.get('x-request-id'), answer.body.error.request_id]).toEqual([id, id]);
  });

  it.each(['short', 'x'.repeat(65), 'has blanks in it', '<script>alert(1)</script>'])(
    'like %s is replaced',
    async (id) => {
      const answer = await gateway.get('/v1/tasks', { headers: { 'x-request-id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    },
  );
});
