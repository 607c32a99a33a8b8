import type { Constraint } from '@eas/core';
import type { Route } from '@eas/http';
import { type Scope, scopes } from '@eas/contracts';
import { someOf, together } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { breaksOf, validBodies } from './from-contracts/breaks.ts';
import { queryBreaksOf, validQuery } from './from-contracts/query-breaks.ts';
import { type ApiResponse, type CallOptions, expectEnvelope, expectError, type Json, useGateway } from './gateway.ts';
import { named, pathToNothing, useThings } from './routes.ts';

const gateway = useGateway();

/** A body that the route takes, if it takes one. */
const validBodyOf = ({ body }: Route): Json => (body ? validBodies(body)[0] : undefined);
const textOf = (body: Json) => (body === undefined ? undefined : JSON.stringify(body));
/** Sends to the path, or to one that leads to nothing. */
const sendTo = (
  route: Route,
  text: string | Uint8Array | undefined,
  { path = pathToNothing(route), query = '', ...options }: CallOptions & { path?: string; query?: string } = {},
) => gateway.send(route.method, query === '' ? path : `${path}?${query}`, text, options);

function accepts(route: Route, body: Json): boolean {
  try {
    route.readBody?.(structuredClone(body));
    return true;
  } catch {
    return false;
  }
}

/** The response names that field with that constraint. */
function expectNamed(
  response: ApiResponse,
  code: string,
  { field, constraint }: { field: string; constraint: Constraint },
) {
  expect({ status: response.status, body: response.body }).toMatchObject({
    status: 400,
    body: { error: { code, details: { field } } },
  });
  expect(response.body.error.errors).toContainEqual({ field, constraint });
  expectEnvelope(response);
}

/** Runs the tries, a few at a time, reports failed ones, and checks that none of them wrote a row. */
async function eachWritesNothing<T>(tries: readonly T[], title: (one: T) => string, run: (one: T) => Promise<void>) {
  const before = await gateway.rows();
  const failures: string[] = [];
  await together(tries, (one) =>
    run(one).catch((error: Error) => void failures.push(`${title(one).slice(0, 200)}: ${error.message}`)),
  );
  expect(failures.join('\n\n')).toBe('');
  expect(await gateway.rows()).toEqual(before);
}

describe.each(named.filter(([, route]) => route.body))('a broken body of %s', (_name, route) => {
  const contract = route.body;
  if (!contract) throw new Error('a route without a body');
  const valid = validBodies(contract);
  const breaks = breaksOf(contract, route.method === 'PATCH').filter(
    ({ isHidden, body }) => !isHidden || !accepts(route, body),
  );
  const [first = 'any'] = Object.keys(valid[0]);
  const { pathOf } = useThings(gateway, [route]);

  it('is made from one that the contract takes, in several ways for each of its fields', () => {
    expect(valid.filter((body) => !accepts(route, body))).toEqual([]);
    const fields = new Set(valid.flatMap((body) => Object.keys(body)));
    const broken = new Set(breaks.map(({ field }) => field.split('.')[0]));
    expect(breaks.length).toBeGreaterThanOrEqual(3 * broken.size);
    expect(broken.size).toBeGreaterThanOrEqual(Math.ceil(fields.size / 2));
  });

  it('is 400 naming the field and what it broke', () =>
    eachWritesNothing(
      breaks,
      ({ title, constraint }) => `${title} (${constraint})`,
      async (one) =>
        expectNamed(await sendTo(route, JSON.stringify(one.body), { path: pathOf(route) }), 'invalid_input', one),
    ));

  it('that is no JSON or no UTF-8 is 400 invalid_request', () => {
    const texts = ['{"title":', 'hello', '{"a":1,}', '{}{}', 'NaN', '<task/>', "{'a':1}", '{"a":01}', '[1,]', '"'];
    const bytes = [
      [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
    ].map((list) => Buffer.from(list));
    const details = { field: 'body', constraint: 'format' };
    return eachWritesNothing<string | Buffer>(someOf([...texts, ...bytes], 4), String, async (body) =>
      expectError(await sendTo(route, body), 400, 'invalid_request', details),
    );
  });

  it('that is no object is 400 invalid_input', () =>
    eachWritesNothing(someOf(['null', '[]', '"text"', '42', 'true', '1e400'], 2), String, async (text) => {
      const response = await sendTo(route, text);
      expect([response.status, response.body.error.code]).toEqual([400, 'invalid_input']);
      expectEnvelope(response);
    }));

  it('with U+0000, a lone surrogate, __proto__, a number that would change or too many levels is 400 naming the field', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const cases: [string, string, Constraint][] = [
      ...['a\\u0000b', 'a\\ud800', '\\udc00a'].map((text): [string, string, Constraint] => [
        `{"${first}":"${text}"}`,
        first,
        'format',
      ]),
      ['{"a\\u0000":1}', 'a\ufffd', 'format'],
      ['{"\\udc00a":1}', '\ufffda', 'format'],
      ['{"__proto__":{"a":1}}', '__proto__', 'unknown_field'],
      [`{"${first}":{"__proto__":1}}`, `${first}.__proto__`, 'unknown_field'],
      ...['9007199254740993', '1e400', '0.1000000000000000055'].map((number): [string, string, Constraint] => [
        `{"${first}":{"a":[${number}]}}`,
        `${first}.a.0`,
        'format',
      ]),
      ...[33, 5_000, 30_000].map((levels): [string, string, Constraint] => [
        `{"${first}":${deep(levels)}}`,
        first,
        'max_size',
      ]),
    ];
    return eachWritesNothing(someOf(cases, 4), String, async ([text, field, constraint]) =>
      expectError(await sendTo(route, text), 400, 'invalid_input', { field, constraint }),
    );
  });

  it('over 1 MiB is 413, of another type or packed 415, and of any JSON type it is read', async () => {
    const before = await gateway.rows();
    const large = await sendTo(route, JSON.stringify({ ...valid[0], [first]: 'x'.repeat(1_048_576) }));
    expectError(large, 413, 'invalid_request', { field: 'body', constraint: 'max_size' });
    const text = JSON.stringify(valid[0]);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const response = await sendTo(route, text, { headers: { 'content-type': type } });
      expectError(response, 415, 'invalid_request', { field: 'Content-Type', constraint: 'format' });
    }
    const packed = await sendTo(route, text, { headers: { 'content-encoding': 'gzip' } });
    expectError(packed, 415, 'invalid_request', { field: 'Content-Encoding', constraint: 'format' });
    for (const type of ['application/vnd.api+json', 'application/json; charset=utf-8', 'text/json', '']) {
      const response = await sendTo(route, '{"surprise":1}', { headers: { 'content-type': type } });
      expect([type, response.status, response.body.error.code]).toEqual([type, 400, 'invalid_input']);
    }
    expect(await gateway.rows()).toEqual(before);
  });
});

describe.each(named)('a broken query of %s', (_name, route) => {
  it('is made from one that the contract takes', () => {
    const pairs = Object.entries(route.query ? validQuery(route.query) : {});
    for (const [name, value] of pairs) route.readQuery(`${name}=${encodeURIComponent(value)}`);
  });

  it('is 400 naming the parameter and what it broke', () =>
    eachWritesNothing(
      queryBreaksOf(route.query),
      ({ query }) => query,
      async ({ query, ...broken }) =>
        expectNamed(await sendTo(route, textOf(validBodyOf(route)), { query }), 'invalid_request', broken),
    ));

  it('may carry what trackers add', () => {
    expect(route.readQuery('_=1&utm_source=x&_=2')).toEqual(route.readQuery(''));
  });
});

describe.each(named.filter(([, route]) => route.params))('a broken id of %s', (_name, route) => {
  it('is 404 like an unknown one', () => {
    const ids = ['x', '%00', '%ff', 'x'.repeat(65), '..%2f..', '%20', "'", '%F0%9F%92%A9', 'tsk_', '__proto__'];
    return eachWritesNothing(someOf(ids, 3), String, async (id) => {
      const path = route.path.replace(/\{[^}]+\}/g, id);
      expectError(await gateway.send(route.method, path, textOf(validBodyOf(route))), 404, 'not_found');
    });
  });
});

const missingVersion = { 'if-match': '"1000000"' };
const large = 'x'.repeat(1_048_577);
type Wrong = { status: number; isPossible: (route: Route) => boolean };
/** In the order of the checks; a request with two errors gets the earlier response. */
const order: Wrong[] = [
  { status: 401, isPossible: ({ hasCaller }) => hasCaller },
  { status: 429, isPossible: ({ hasCaller }) => hasCaller },
  { status: 403, isPossible: ({ scopes: own }) => own.length > 0 },
  { status: 413, isPossible: ({ body }) => body !== undefined },
  { status: 415, isPossible: ({ body }) => body !== undefined },
  { status: 400, isPossible: () => true },
  { status: 404, isPossible: ({ params }) => params !== undefined },
  { status: 412, isPossible: ({ isVersioned, method }) => isVersioned && method !== 'GET' },
];
const pairs = order.flatMap((first, at) => order.slice(at + 1).map((second) => [first, second] as const));

describe.each(named)('%s', (_name, route) => {
  it('responds to a request that is wrong in two ways with the earlier error', async () => {
    const keys = await keysFor(route);
    const before = await gateway.rows();
    const possible = pairs.filter((pair) => pair.every(({ isPossible }) => isPossible(route)));
    const tried = someOf(possible, 6);
    const seen = await together(tried, async (pair) => {
      const statuses = pair.map(({ status }) => status);
      return [...statuses, await statusOfWrong(route, new Set(statuses), keys)];
    });
    expect(seen).toEqual(tried.map(([first, second]) => [first.status, second.status, first.status]));
    expect(possible.length).toBeGreaterThanOrEqual(route.hasCaller ? 4 : 0);
    expect(await gateway.rows()).toEqual(before);
  });
});

const unversioned = ({ method, hasCaller, isVersioned }: Route) => hasCaller && method !== 'GET' && !isVersioned;

it.each(named.filter(([, route]) => unversioned(route)))(
  '%s, which takes no If-Match, refuses it and changes nothing',
  (_name, route) =>
    eachWritesNothing(['"1"', '*', ''], String, async (tag) => {
      const text = textOf(validBodyOf(route));
      const details = { field: 'If-Match', constraint: 'unknown_field' } as const;
      expectError(await sendTo(route, text, { headers: { 'if-match': tag } }), 400, 'invalid_request', details);
    }),
);

type Keys = Record<'right' | 'limited' | 'poor' | 'poorAndLimited', string>;

/** Keys that are never used up are shared by all routes with the same scopes: a tenant has a limited number of keys. */
const sharedKeys = new Map<string, Promise<string>>();
function sharedKey(own: readonly Scope[]): Promise<string> {
  const made = sharedKeys.get(own.join()) ?? gateway.makeKey(own);
  sharedKeys.set(own.join(), made);
  return made;
}

/** Keys that open the route and keys that do not, of either kind one that may be used once a minute. */
async function keysFor(route: Route): Promise<Keys> {
  const others = scopes.filter((scope) => !route.scopes.includes(scope));
  const once = { rateLimit: 1 };
  return {
    right: await sharedKey(scopes),
    limited: await gateway.makeKey(scopes, once),
    poor: await sharedKey(others),
    poorAndLimited: await gateway.makeKey(others, once),
  };
}

/** The status of a request to nothing that is wrong in each of these ways. */
async function statusOfWrong(route: Route, wrong: ReadonlySet<number>, keys: Keys): Promise<number> {
  const [right, limited] = wrong.has(403) ? [keys.poor, keys.poorAndLimited] : [keys.right, keys.limited];
  const key = wrong.has(401) ? null : wrong.has(429) ? limited : right;
  const headers = {
    ...(wrong.has(415) ? { 'content-type': 'text/plain' } : {}),
    ...(wrong.has(412) ? missingVersion : {}),
  };
  const body = wrong.has(413) ? large : textOf(validBodyOf(route));
  const send = () => sendTo(route, body, { key, headers, query: wrong.has(400) ? 'nonsense=1' : '' });
  let { status } = await send();
  // Lease calls have a window ten times as wide, and a window may end in between.
  if (key === limited) for (let calls = 1; status !== 429 && calls <= 40; calls += 1) status = (await send()).status;
  return status;
}

describe('a path', () => {
  it('that is unknown, and a method that it does not know, go before everything else', async () => {
    const key = null;
    expectError(await gateway.send('POST', '/v1/nothing?nonsense=1', large, { key }), 404, 'not_found');
    expectError(await gateway.send('PUT', '/v1/tasks?nonsense=1', large, { key }), 405, 'invalid_request');
  });
});
