import { defaultTenantId, type Principal } from '@eas/contracts';
import { AppError } from '@eas/core';
import { append } from '@eas/db';
import { silentLogger, useTestDatabase } from '@eas/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineRoute, type Listening, mountRoutes, serve, sweepKeptResponses } from '../index.ts';

const testDatabase = useTestDatabase();
const insertSql = `INSERT INTO tenants (id, slug, name) VALUES ($1, $1, 'x')`;
let runs = 0;
let hold: Promise<void> | undefined;

const writeSql = async (db: { query(text: string, values: unknown[]): Promise<unknown> }, name: string) =>
  void (await db.query(insertSql, [name]));

const route = defineRoute({
  method: 'POST',
  path: '/v1/things',
  summary: 'Make a thing',
  tags: ['Things'],
  access: { scope: 'tasks:write' },
  body: z.object({ name: z.string().min(1).max(50), outcome: z.string().max(50).optional() }),
  responses: {
    201: { description: 'Made', schema: z.object({ name: z.string(), run: z.int() }) },
    204: { description: '' },
  },
  errors: ['conflict'],
  handler: async (ctx, { body }) => {
    runs += 1;
    await ctx.inTransaction(async (tx) => {
      await writeSql(tx.db, body.name);
      append(tx, {
        type: 'pr.opened',
        at: new Date(),
        data: { repository: 'a/b', number: 1, title: 't', url: 'u', author: 'a', branch: 'b', task_id: null },
        facts: null,
      });
    });
    await hold;
    if (body.outcome === 'conflict') throw new AppError('conflict', { field: 'name', constraint: 'exists' });
    if (body.outcome === 'broken') throw new Error('broken');
    if (body.outcome === 'invalid') throw new AppError('invalid_input', { field: 'name', constraint: 'format' });
    if (body.outcome === 'nothing') return { status: 204 };
    return { status: 201, body: { name: body.name, run: runs }, headers: { Location: `/v1/things/${body.name}` } };
  },
});

let listening: Listening;
beforeAll(async () => {
  const app = mountRoutes([route], {
    authenticate: (headers): Principal => ({
      tenantId: defaultTenantId,
      kind: 'key',
      credentialId: String(headers['x-api-key']),
      actor: { id: 'key_1' },
      scopes: ['tasks:write'],
      rateLimit: 1_000,
    }),
    makeContext: (caller) => testDatabase.context(caller),
    logger: silentLogger,
  });
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => listening.close(100));
beforeEach(() => {
  runs = 0;
  hold = undefined;
});

async function make(
  name: string,
  key: string,
  { outcome, credential = 'key_1' }: { outcome?: string; credential?: string } = {},
) {
  const response = await fetch(`http://127.0.0.1:${listening.port}/v1/things`, {
    method: 'POST',
    headers: { 'x-api-key': credential, 'idempotency-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name, outcome }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}

async function countOf(table: string, where = 'true', values: unknown[] = []): Promise<number> {
  const [row] = await testDatabase.database.db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${where}`,
    values,
  );
  return row?.count ?? 0;
}
const wasWritten = async (name: string) => (await countOf('tenants', 'id = $1', [name])) === 1;

describe('a POST with an Idempotency-Key', () => {
  it('runs once and gives the same response again', async () => {
    const eventsBefore = await countOf('events');
    const first = await make('once', 'k-once');
    const second = await make('once', 'k-once');
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe('/v1/things/once');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(runs).toBe(1);
    expect((await countOf('events')) - eventsBefore).toBe(1);
  });

  it('refuses another body under the same key', async () => {
    await make('reuse-a', 'k-reuse');
    const { status, body } = await make('reuse-b', 'k-reuse');
    expect([status, body.error.details]).toEqual([
      409,
      { field: 'Idempotency-Key', constraint: 'idempotency_key_reuse' },
    ]);
    expect(await wasWritten('reuse-b')).toBe(false);
  });

  it('distinguishes credentials', async () => {
    await make('cred-a', 'k-cred');
    expect((await make('cred-b', 'k-cred', { credential: 'key_2' })).status).toBe(201);
  });

  it('is refused while the first one still runs', async () => {
    let release = () => {};
    hold = new Promise((resolve) => (release = resolve));
    const first = make('flight', 'k-flight');
    while (runs === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await make('flight', 'k-flight');
    expect([second.status, second.body.error.details.constraint]).toEqual([409, 'idempotency_in_flight']);
    expect([second.headers.get('retry-after'), second.body.error.message]).toEqual([
      '1',
      expect.stringContaining('still running. Send the same request again in a second.'),
    ]);
    release();
    expect((await first).status).toBe(201);
  });

  it('stores a 409, whose writes and events are rolled back', async () => {
    const eventsBefore = await countOf('events');
    const first = await make('taken', 'k-taken', { outcome: 'conflict' });
    const second = await make('taken', 'k-taken', { outcome: 'conflict' });
    expect([first.status, second.status, runs]).toEqual([409, 409, 1]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body.error.request_id).toBe(second.headers.get('x-request-id'));
    expect([await wasWritten('taken'), (await countOf('events')) - eventsBefore]).toEqual([false, 0]);
  });

  it.each([
    ['broken', 500],
    ['invalid', 400],
  ])('keeps neither response nor writes of a handler that ends %s', async (outcome, status) => {
    expect((await make(`gone-${outcome}`, `k-${outcome}`, { outcome })).status).toBe(status);
    expect(await wasWritten(`gone-${outcome}`)).toBe(false);
    expect((await make(`then-${outcome}`, `k-${outcome}`)).status).toBe(201);
  });

  it('does not store a 204', async () => {
    expect((await make('nothing', 'k-204', { outcome: 'nothing' })).status).toBe(204);
    expect(await countOf('idempotency_records', `key = 'k-204'`)).toBe(0);
    expect(await wasWritten('nothing')).toBe(true);
  });

  it('stores the response sealed', async () => {
    await make('sealed-name', 'k-sealed');
    expect(await countOf('idempotency_records', `key = 'k-sealed' AND response LIKE 'v1.%'`)).toBe(1);
    expect(await countOf('idempotency_records', `response LIKE '%sealed-name%'`)).toBe(0);
  });

  it('refuses a key of more than 255 characters', async () => {
    const { status, body } = await make('long', 'k'.repeat(256));
    expect([status, body.error.code, body.error.details.field]).toEqual([400, 'invalid_request', 'Idempotency-Key']);
  });

  it('forgets after 24 hours', async () => {
    await make('day-a', 'k-day');
    await testDatabase.shiftClock(24 * 3_600 + 1);
    expect((await make('day-b', 'k-day')).status).toBe(201);
    const old = await countOf('idempotency_records', `key <> 'k-day'`);
    expect(old).toBeGreaterThan(1);
    expect(await sweepKeptResponses(testDatabase.database.db)).toBe(old);
    expect(await countOf('idempotency_records', `key = 'k-day'`)).toBe(1);
  });
});
