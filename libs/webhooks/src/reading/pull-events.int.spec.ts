import { type Scope, scopes } from '@eas/contracts';
import { newId } from '@eas/core';
import { createChangeWaits, type ChangeWait, type ChangeWaits, type UseCaseContext } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeEndpoint } from '../deliveries/delivery.fixture.ts';
import { type Pull, pullEvents } from './pull-events.ts';

const test = useTestDatabase();
let ctx: UseCaseContext;
let closing: AbortController;
let waits: ChangeWaits;
let waitsStarted = 0;
/** Poll interval of a request without a wake-up: longer than the test's limit. */
const sleepMs = (ms: number) => (ms > 1_000 ? 600_000 : ms);
let endpointId = '';
let last = 0;

const eventsSql = `
  WITH made AS (
    INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
    SELECT $1, 'evt_' || ulid_prefix(now()) || lpad(($2 + n)::text, 16, '0'), $3, now(),
      json_build_object('task_id', 'tsk_1', 'text', repeat('x', $5), 'n', $2 + n)
    FROM generate_series(1, $4) AS n RETURNING event_id, (data ->> 'n')::int AS number
  ), counted AS (
    INSERT INTO event_counters (tenant_id, last_number) VALUES ($1, $2 + $4)
    ON CONFLICT (tenant_id) DO UPDATE SET last_number = excluded.last_number
  )
  INSERT INTO event_numbers (tenant_id, number, event_id) SELECT $1, number, event_id FROM made`;

/** Events with the next numbers, as the relay gives them. */
async function happen(type: string, count = 1, length = 1): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await tx.db.query(eventsSql, [ctx.tenantId, last, type, count, length]);
    tx.notify('stream', ctx.tenantId);
  });
  last += count;
}
const pull = (options: Partial<Pull & { scopes: readonly Scope[] }> = {}, on = ctx) =>
  pullEvents(on, waits, { endpointId, after: undefined, limit: 100, waitMs: 0, scopes, ...options });
const numbersOf = ({ data }: Awaited<ReturnType<typeof pull>>) => data.map((event) => event.data['n']);

beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  endpointId = await makeEndpoint(ctx, 'https://example.com', ['task.*']);
  closing = new AbortController();
  const real = createChangeWaits(test.database.listener, closing.signal, { perTenant: 2 });
  waitsStarted = 0;
  const countWaits = (wait: ChangeWait): ChangeWait => ({
    ...wait,
    sleep: (ms, signal) => ((waitsStarted += 1), wait.sleep(sleepMs(ms), signal)),
  });
  waits = { ...real, enter: (tenantId) => countWaits(real.enter(tenantId)) };
  last = 0;
});
afterEach(() => closing.abort());

describe('pulling events', () => {
  it('returns matching events in the order of their numbers, as in deliveries, and continues where it ended', async () => {
    await happen('task.created', 3);
    await happen('pr.opened', 2);
    await happen('task.completed', 2);
    const first = await pull({ limit: 2 });
    expect([numbersOf(first), first.has_more]).toEqual([[1, 2], true]);
    expect(Object.keys(first.data[0] ?? {})).toEqual(['event_type', 'event_id', 'timestamp', 'data']);
    const rest = await pull({ after: first.next_cursor });
    expect([numbersOf(rest), rest.has_more]).toEqual([[3, 6, 7], false]);
    expect(numbersOf(await pull({ after: first.data[0]?.event_id }))).toEqual([2, 3, 6, 7]);
    const end = await pull({ after: rest.next_cursor });
    expect([end.data, end.has_more, end.next_cursor]).toEqual([[], false, rest.next_cursor]);
    await happen('task.failed');
    expect(numbersOf(await pull({ after: end.next_cursor }))).toEqual([8]);
  });

  it('reads a bounded number of events, and its cursor moves past those that do not match', async () => {
    await happen('pr.opened', 2_500);
    await happen('task.created');
    const pages = [];
    for (let after: string | undefined; pages.length < 10;) {
      const page = await pull({ after });
      pages.push([numbersOf(page), page.has_more]);
      after = page.next_cursor;
      if (!page.has_more) break;
    }
    expect(pages).toEqual([
      [[], true],
      [[], true],
      [[2_501], false],
    ]);
  });

  it('fills a page by bytes, with one event at least', async () => {
    await happen('task.created', 5, 400_000);
    const first = await pull();
    expect([numbersOf(first), first.has_more]).toEqual([[1, 2, 3], true]);
    expect(numbersOf(await pull({ after: first.next_cursor }))).toEqual([4, 5]);
    await happen('task.created', 1, 2_000_000);
    await happen('task.created');
    const second = await pull({ after: first.next_cursor });
    expect([numbersOf(second), second.has_more]).toEqual([[4, 5, 6], true]);
    expect(numbersOf(await pull({ after: second.next_cursor }))).toEqual([7]);
  });

  it('skips what is no longer stored, and what the scopes do not let read', async () => {
    await happen('task.created', 3);
    await test.database.db.query("DELETE FROM events WHERE tenant_id = $1 AND data ->> 'n' < '3'", [ctx.tenantId]);
    expect(numbersOf(await pull())).toEqual([3]);
    const page = await pull({ scopes: ['events:read', 'agents:read'] });
    expect([page.data, page.has_more]).toEqual([[], false]);
  });

  it('continues with the oldest stored event when the event of the cursor is gone', async () => {
    await happen('task.created', 4);
    const { data, next_cursor: end } = await pull();
    const [first, second, third, fourth] = data.map((event) => event.event_id);
    const secondCursor = (await pull({ limit: 2 })).next_cursor;
    const forget = async (table: 'events' | 'event_numbers', ids: unknown[]) =>
      test.database.db.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND event_id = ANY ($2)`, [ctx.tenantId, ids]);
    await forget('events', [first, second, third]);
    expect(numbersOf(await pull({ after: second }))).toEqual([4]);
    await forget('event_numbers', [first, second]);
    for (const after of [first, second, third, secondCursor]) expect(numbersOf(await pull({ after }))).toEqual([4]);
    expect(numbersOf(await pull({ after: fourth }))).toEqual([]);
    await forget('events', [fourth]);
    await forget('event_numbers', [third, fourth]);
    await happen('task.created');
    for (const after of [undefined, first, third, end]) expect(numbersOf(await pull({ after }))).toEqual([5]);
    const never = newId('event', Date.now() + 60_000);
    await expect(pull({ after: never })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each(['v1.', 'v1.bnVsbA', 'v1.WyJudW1iZXIiLDk5OV0', 'v1.WyJudW1iZXIiLC0xXQ', 'evt_none', 'nonsense'])(
    'refuses %s as a cursor',
    async (after) => {
      await happen('task.created');
      const refusal = { code: 'invalid_request', violations: [{ field: 'after', constraint: 'format' }] };
      await expect(pull({ after })).rejects.toMatchObject(refusal);
    },
  );

  it('waits for an event that matches', async () => {
    await happen('pr.opened');
    const waiting = pull({ waitMs: 600_000 });
    await eventually(async () => waitsStarted > 0);
    const before = waitsStarted;
    await happen('pr.opened');
    await eventually(async () => waitsStarted > before);
    await happen('task.created');
    const page = await waiting;
    expect(numbersOf(page)).toEqual([3]);
    const startedAt = performance.now();
    const none = await pull({ after: page.next_cursor, waitMs: 300 });
    expect(performance.now() - startedAt).toBeGreaterThan(250);
    expect([none.data, none.next_cursor]).toEqual([[], page.next_cursor]);
  });

  it('ends its wait when the caller disconnects and when the process ends', async () => {
    const left = new AbortController();
    const caller = test.context({ tenantId: ctx.tenantId, signal: left.signal });
    const both = [pull({ waitMs: 600_000 }, caller), pull({ waitMs: 600_000 })];
    await expect(eventuallyRefused()).resolves.toMatchObject({ violations: [{ constraint: 'limit' }] });
    left.abort();
    expect((await both[0])?.data).toEqual([]);
    closing.abort();
    expect((await both[1])?.data).toEqual([]);
  });

  /** The tenant's two slots are taken as soon as both requests wait; this takes neither of them before. */
  async function eventuallyRefused(): Promise<unknown> {
    let refusal: unknown;
    await eventually(async () => {
      try {
        waits.enter(ctx.tenantId).leave();
      } catch (error) {
        refusal = error;
      }
      return refusal !== undefined;
    });
    return refusal;
  }

  it('knows only endpoints of its tenant', async () => {
    const stranger = test.context({ tenantId: await test.createTenant() });
    await expect(pull({}, stranger)).rejects.toMatchObject({ code: 'not_found' });
  });
});
