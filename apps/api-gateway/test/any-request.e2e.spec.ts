import type { TenantLimits } from '@eas/db';
import type { Route } from '@eas/http';
import { runsOf, together } from '@eas/testing';
import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { replacedAt, validBodies } from './from-contracts/breaks.ts';
import { type ApiResponse, expectEnvelope, type Json, useGateway } from './gateway.ts';
import { named, useThings } from './routes.ts';

/** Things are made for every route, and by every body that happens to fit. */
const unlimited = 1_000_000;
const limits: TenantLimits = {
  agents: unlimited,
  keys: unlimited,
  endpoints: unlimited,
  integrations: unlimited,
  workflows: unlimited,
  projects: unlimited,
  profiles: unlimited,
  policies: unlimited,
  runners: unlimited,
  budgets: unlimited,
  commentsPerTask: unlimited,
};
const gateway = useGateway({ limits });

/** Success, or a client's error in the envelope. */
function expectAnyResponse(response: ApiResponse): void {
  if (response.status >= 500) throw new Error(`${response.status}: ${response.text}`);
  if (response.status >= 400) expectEnvelope(response);
}

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
  '../..',
  '{{7*7}}',
  '<script>',
  '\u202e',
  '\ufeff',
  '💩',
  'a\r\nx-injected: 1',
];
const nastyValues: Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  [],
  {},
  [[]],
  [null],
  { a: null },
  ...nastyTexts,
  'x'.repeat(70_000),
  '9999-12-31T23:59:59.999Z',
  '0001-01-01',
  '-000001-01-01',
  '1'.repeat(400),
  { toString: 1 },
  { length: 1e9 },
  JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
  Array(200).fill('a'),
];
const wellFormed = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
/** Of invalid bodies, which get a response before any use case, only one in this number is sent; others too. */
const [refusedStride, takenStride] = [runsOf(32, 8), runsOf(8, 1)];
const value = fc.oneof(wellFormed, fc.constantFrom(...nastyTexts));
const header = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.constantFrom('', ' ', 'x'.repeat(256), '"', '\t', '*', '"1"'),
);
const headers = fc.record({ 'x-request-id': header, 'idempotency-key': header, 'if-match': header, accept: header });
const queryOf = ({ query }: Route) =>
  fc.array(fc.tuple(fc.constantFrom(...Object.keys(query?.shape ?? {}), 'nonsense', '__proto__', ''), value), {
    maxLength: 4,
  });

describe.each(named)('%s', (_name, route) => {
  const { pathOf } = useThings(gateway, [route]);
  const send = (body: Json) => gateway.send(route.method, pathOf(route), JSON.stringify(body));

  it('responds to any id, query and header with an envelope and never with a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(value), queryOf(route), headers, async (id, pairs, sent) => {
        const encoded = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        const segment = id === null || /^\.{0,2}$/.test(id) ? undefined : encodeURIComponent(id);
        const path = `${pathOf(route, segment)}?${encoded}`;
        expectAnyResponse(await gateway.send(route.method, path, route.body && '{}', { headers: sent }));
      }),
      { numRuns: runsOf(5, 40) },
    );
  });

  const { body: contract } = route;
  if (!contract) return;

  it('responds to any JSON and any text without a 5xx', async () => {
    const text = fc.oneof(fc.json({ maxDepth: 4 }), wellFormed);
    await fc.assert(
      fc.asyncProperty(text, async (body) => expectAnyResponse(await gateway.send(route.method, pathOf(route), body))),
      { numRuns: runsOf(5, 40) },
    );
  });

  it('responds to anything in any one of its fields without a 5xx', async () => {
    const values = validBodies(contract).flatMap((valid) => valuePathsOf(valid).map((path) => ({ valid, path })));
    // Others at each path, so that every value is sent at many.
    const isSent = (body: Json, at: number) =>
      at % refusedStride === 0 || (at % takenStride === 0 && contract.safeParse(body).success);
    const sent = values.flatMap(({ valid, path }, index) =>
      nastyValues.map((put) => replacedAt(valid, path, put)).filter((body, n) => isSent(body, n + index)),
    );
    await together(sent, async (body) => expectAnyResponse(await send(body)));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...values), fc.jsonValue({ maxDepth: 3 }), async ({ valid, path }, put) =>
        expectAnyResponse(await send(replacedAt(valid, path, put))),
      ),
      { numRuns: runsOf(6, 60) },
    );
  });
});

/** Every path to a value inside another. */
function valuePathsOf(inside: Json, base: string[] = []): string[][] {
  if (inside === null || typeof inside !== 'object') return [base];
  const inner = Object.entries(inside as object).flatMap(([key, one]) => valuePathsOf(one, [...base, key]));
  return base.length > 0 ? [base, ...inner] : inner;
}
