import { scopes } from '@eas/contracts';
import type { Route } from '@eas/http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apiRoutes, type RouteParts } from '../src/routes/index.ts';
import {
  type Answer,
  endpointRules,
  expectEnvelope,
  expectError,
  type Json,
  leaseSeconds,
  useGateway,
} from './gateway.ts';

const gateway = useGateway();
const room = {} as RouteParts['room'];
/** Only described here; the gateway of the test has its own. */
const routes = apiRoutes({ room, leaseSeconds, endpointRules });
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const ids: Record<string, string> = {};

beforeAll(async () => {
  ids['agent_id'] = (await gateway.make('/v1/agents', { name: 'Ada', role: 'rd', max_concurrent_tasks: 100 })).id;
  ids['task_id'] = (await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'rd' })).id;
  ids['webhook_id'] = (await gateway.make('/v1/webhooks', { url: 'https://example.com', events: ['*'] })).id;
  const claim = await gateway.post(`/v1/agents/${ids['agent_id']}/claims`, {});
  ids['lease_id'] = claim.body.lease.lease_id;
});

/** The route's path with ids of things that are there, or with another text in their place. */
const pathOf = ({ path }: Route, id?: string) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => id ?? ids[name] ?? `no id for ${name}`);
const bodyOf = (route: Route, text: string) => (route.body ? text : undefined);

/** Written down once more: who may do what changes on purpose only. */
const expectedScopes = {
  'POST /v1/tasks': ['tasks:write'],
  'GET /v1/tasks': ['tasks:read'],
  'GET /v1/tasks/{task_id}': ['tasks:read'],
  'POST /v1/agents': ['agents:write'],
  'GET /v1/agents': ['agents:read'],
  'GET /v1/agents/{agent_id}': ['agents:read'],
  'POST /v1/agents/{agent_id}/claims': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/heartbeat': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/progress': ['agent:self', 'admin'],
  'POST /v1/leases/{lease_id}/complete': ['agent:self', 'admin'],
  'POST /v1/webhooks': ['webhooks:write'],
  'GET /v1/webhooks': ['webhooks:read'],
  'GET /v1/webhooks/{webhook_id}': ['webhooks:read'],
  'POST /v1/integrations': ['integrations:write'],
  'GET /v1/integrations': ['integrations:read'],
  'GET /v1/analytics/performance': ['analytics:read'],
};

it('every route is opened by the scopes that it is meant for', () => {
  expect(Object.fromEntries(named.map(([name, { scopes: own }]) => [name, own]))).toEqual(expectedScopes);
});

describe.each(named)('%s', (_name, route) => {
  it('has an id for each of its parameters', () => {
    expect(pathOf(route)).not.toContain('no id');
  });

  it('is 401 without a credential, whatever else is wrong', async () => {
    const answer = await gateway.send(route.method, `${pathOf(route)}?nonsense=1`, bodyOf(route, '{'), { key: null });
    expectError(answer, 401, 'unauthorized');
  });

  it('is 403 with a key that has every scope but those that open it, and names them', async () => {
    const key = await gateway.makeKey(scopes.filter((scope) => !route.scopes.includes(scope)));
    const rows = await gateway.rows();
    const answer = await gateway.send(route.method, `${pathOf(route)}?nonsense=1`, bodyOf(route, '{'), { key });
    expectError(answer, 403, 'forbidden');
    for (const scope of route.scopes) expect(answer.body.error.message).toContain(scope);
    expect(await gateway.rows()).toEqual(rows);
  });

  it('lets each of its scopes in alone', async () => {
    for (const scope of route.scopes) {
      const key = await gateway.makeKey([scope]);
      const answer = await gateway.send(route.method, `${pathOf(route)}?nonsense=1`, bodyOf(route, '{}'), { key });
      expect([answer.status, answer.body.error.details]).toEqual([
        400,
        { field: 'nonsense', constraint: 'unknown_field' },
      ]);
    }
  });

  it('knows no other tenant’s things', async () => {
    if (!route.params) return;
    const key = await gateway.makeKey(scopes, { tenantId: await gateway.test.createTenant() });
    const valid = JSON.stringify(route.path.startsWith('/v1/leases') ? { fencing_token: 1 } : {});
    const answer = await gateway.send(route.method, pathOf(route), bodyOf(route, valid), { key });
    expectError(answer, 404, 'not_found');
  });

  it('answers any id, query and header with an envelope and never with a 5xx', async () => {
    const names = [...Object.keys(route.query?.shape ?? {}), 'nonsense', '__proto__', ''];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      fc.constantFrom(...nastyTexts),
    );
    const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 });
    const header = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom('', ' ', 'x'.repeat(256), '"', '\t'));
    const headers = fc.record({
      'x-request-id': header,
      'idempotency-key': header,
      'if-match': header,
      accept: header,
    });
    await fc.assert(
      fc.asyncProperty(fc.option(value), query, headers, async (id, pairs, sent) => {
        const encoded = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        const segment = id === null || /^\.{0,2}$/.test(id) ? undefined : encodeURIComponent(id);
        const path = `${pathOf(route, segment)}?${encoded}`;
        expectAnyAnswer(await gateway.send(route.method, path, bodyOf(route, '{}'), { headers: sent }));
      }),
      { numRuns: 40 },
    );
  });
});

const nastyTexts = [
  '1',
  '-1',
  '0',
  '1e9',
  "' OR 1=1 --",
  '%',
  '_',
  '\\',
  '\0',
  'tsk_',
  '2026-01-01',
  'created',
  '{',
  '-',
];
const nastyValues: Json[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, '', ' ', [], {}, [[]], [null], { a: null }],
  ...[...nastyTexts, 'x'.repeat(70_000), '9999-12-31T23:59:59.999Z', '0001-01-01', '-000001-01-01', '1'.repeat(400)],
  ...[{ toString: 1 }, { length: 1e9 }, JSON.parse('{"__proto__":{"a":1},"constructor":1}'), Array(200).fill('a')],
];
const samples: Record<string, Json> = {
  '/v1/tasks': {
    title: 't',
    description: 'd',
    priority: 'high',
    due_date: '2027-01-01',
    assigned_role: 'rd',
    assigned_agent: null,
    tags: ['a'],
    metadata: { a: { b: [1] } },
  },
  '/v1/agents': { name: 'n', role: 'rd', capabilities: ['a'], max_concurrent_tasks: 2 },
  '/v1/agents/{agent_id}/claims': { wait_seconds: 0 },
  '/v1/leases/{lease_id}/heartbeat': { fencing_token: 1 },
  '/v1/leases/{lease_id}/progress': {
    fencing_token: 1,
    percent_complete: 5,
    estimate_remaining: '1h',
    milestones: [{ name: 'a', completed: false }],
    comment: 'c',
  },
  '/v1/leases/{lease_id}/complete': {
    fencing_token: 2_000,
    summary: 's',
    result: { a: 1 },
    artifacts: [{ kind: 'link', title: 't', url: 'u', sha: 's', data: {} }],
    scores: { code_quality: 1, requirements_clarity: 1 },
  },
  '/v1/webhooks': { url: 'https://example.com', events: ['*'], secret: 's' },
  '/v1/integrations': {
    type: 'taskplatform',
    webhook_id: 'w',
    secret: 's',
    token: 't',
    status_map: { done: 'completed' },
  },
};

describe.each(named.filter(([, route]) => route.body))('the body of %s', (_name, route) => {
  it('has a sample of all its fields', () => {
    expect(samples[route.path]).toBeDefined();
  });

  it('may be any JSON or any text without a 5xx', async () => {
    const text = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.string({ unit: 'binary' }).map((t) => t.toWellFormed()),
    );
    await fc.assert(
      fc.asyncProperty(text, async (body) => expectAnyAnswer(await gateway.send('POST', pathOf(route), body))),
      { numRuns: 40 },
    );
  });

  it('may have anything in any one of its fields without a 5xx', async () => {
    const sample = samples[route.path];
    const put = async (place: readonly string[], value: unknown) =>
      expectAnyAnswer(await gateway.post(pathOf(route), replacedAt(sample, place, value)));
    for (const place of placesOf(sample)) await Promise.all(nastyValues.map((value) => put(place, value)));
    const anywhere = fc.constantFrom(...placesOf(sample));
    await fc.assert(fc.asyncProperty(anywhere, fc.jsonValue({ maxDepth: 3 }), put), { numRuns: 60 });
  }, 60_000);
});

/** Success, or a client's error in the envelope. */
function expectAnyAnswer(answer: Answer): void {
  if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
  if (answer.status >= 400) expectEnvelope(answer);
}

/** Every path to a value inside a sample. */
function placesOf(value: Json, base: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [base];
  const inner = Object.entries(value as object).flatMap(([key, one]) => placesOf(one, [...base, key]));
  return base.length > 0 ? [base, ...inner] : inner;
}

function replacedAt(sample: Json, place: readonly string[], put: unknown): Json {
  const copy = structuredClone(sample) as Json;
  const parent = place.slice(0, -1).reduce((value, key) => value[key], copy);
  parent[place.at(-1) ?? ''] = put;
  return copy;
}
