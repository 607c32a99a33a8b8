import type { UseCaseContext } from '@eas/db';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { createLoopbackEgress } from '@eas/testing/egress';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { claimNext, createSender, expireMessages, findDue, removeOldMessages, sendNext } from './index.ts';
import { addPings, hosts, pingKind, pings, pingTables } from './ping.fixture.ts';

const test = useTestDatabase();
const egress = createLoopbackEgress();
const kind = pingKind(egress.send);
let sink: WebhookSink;
let ctx: UseCaseContext;

beforeAll(async () => {
  sink = await startWebhookSink();
  for (const sql of pingTables) await test.database.db.query(sql);
  await test.stopClock();
});
afterAll(async () => {
  await egress.close();
  await sink.close();
});
let seconds = 0;
const later = (more: number) => test.shiftClock((seconds += more));
beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  sink.requests.length = 0;
  sink.respondWith({ status: 200 });
});
afterEach(() => test.database.db.query('TRUNCATE hosts, pings'));

const add = (names: readonly string[], by = ctx) =>
  by.inTransaction((tx) =>
    addPings(
      tx,
      names.map((name) => ({ host: name.charAt(0), url: `${sink.url}/${name}` })),
    ),
  );
const sendTo = (host: string, by = ctx) => sendNext(by, kind, { host });
const paths = () => sink.requests.map(({ path }) => path.slice(1));
const rows = () =>
  ctx.db.query<Record<string, unknown>>(
    'SELECT state, attempts, last_error AS error FROM pings WHERE tenant_id = $1 ORDER BY id',
    [ctx.tenantId],
  );

/** What its requests take is read from a clock that stands still until it is moved. */
let elapsedMs = 0;

function startProcess() {
  const outcomes: string[] = [];
  const sender = createSender(kind, {
    database: test.database,
    contextOf: (tenantId, signal) => {
      const of = test.context({ tenantId });
      return { ...of, signal, clock: { ...of.clock, monotonicMs: () => elapsedMs } };
    },
    logger: ctx.logger,
    onAttempt: ({ message, outcome }) => void outcomes.push(`${message.url.split('/').at(-1)} ${outcome}`),
  });
  return { ...sender, outcomes };
}

describe('a kind of target with tables of its own', () => {
  it('gets its messages in order, one at a time from all processes', async () => {
    await add(['a1', 'a2', 'b1']);
    const received = Promise.withResolvers<void>();
    sink.respondWith({ status: 200, after: received.promise });
    const [one, other] = [startProcess(), startProcess()];
    const sweep = () => Promise.all([one.sweep(), other.sweep()]);
    await eventually(async () => (await sweep(), sink.requests.length === 2));
    await sweep();
    received.resolve();
    await Promise.all([one.drain(), other.drain()]);
    expect(paths().sort()).toEqual(['a1', 'b1']);
    await one.sweep();
    await one.drain();
    expect([paths().at(-1), await rows()]).toEqual(['a2', Array(3).fill({ state: 'sent', attempts: 1, error: null })]);
  });

  it('gets nothing while its tenant is suspended, and what waited afterwards', async () => {
    const suspend = (reason: string | null) =>
      test.database.db.query(
        `UPDATE tenants SET suspended_reason = $2, suspended_at = CASE WHEN $2::text IS NOT NULL THEN app_now() END WHERE id = $1`,
        [ctx.tenantId, reason],
      );
    await suspend('unpaid');
    await add(['a1']);
    expect([await findDue(ctx.db, hosts), await startProcess().nextDueAt()]).toEqual([[], null]);
    await sendTo('a');
    expect(paths()).toEqual([]);
    await suspend(null);
    const process = startProcess();
    await process.sweep();
    await process.drain();
    expect(paths()).toEqual(['a1']);
  });

  it('is sent a message again with growing gaps, and no more after the last attempt', async () => {
    await add(['a1']);
    sink.respondWith({ status: 503 });
    for (const [attempts, gap] of [4, 1, 9, 1].entries()) {
      await sendTo('a');
      expect(await rows()).toMatchObject([{ state: 'waiting', attempts: attempts < 2 ? 1 : 2, error: 'http_503' }]);
      await later(gap);
    }
    await sendTo('a');
    expect(await rows()).toEqual([{ state: 'failed', attempts: 3, error: 'http_503' }]);
    expect([paths(), await findDue(ctx.db, hosts)]).toEqual([['a1', 'a1', 'a1'], []]);
    expect(await startProcess().nextDueAt()).toBeNull();
  });

  it('gets nothing while it wants a pause, whatever is added, and the refused attempt does not count', async () => {
    await add(['a1']);
    sink.respondWith({ status: 429 });
    await sendTo('a');
    sink.respondWith({ status: 200 });
    await add(['a0']);
    const [row] = await ctx.db.query<{ inOneMinute: Date }>(`SELECT app_now() + interval '1 minute' AS "inOneMinute"`);
    expect(await startProcess().nextDueAt()).toEqual(row?.inOneMinute);
    await later(59);
    expect(await findDue(ctx.db, hosts)).toEqual([]);
    await sendTo('a');
    await later(1);
    for (const _ of paths()) await sendTo('a');
    await sendTo('a');
    expect(paths()).toEqual(['a1', 'a1', 'a0']);
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it('loses nothing when a process is cut off: another one sends the message when the claim has ended', async () => {
    await add(['a1']);
    sink.respondWith({ kind: 'hang' });
    const cutOff = startProcess();
    await cutOff.sweep();
    await sink.received(1);
    await cutOff.close();
    expect(await rows()).toEqual([{ state: 'waiting', attempts: 0, error: null }]);
    sink.respondWith({ status: 200 });
    await sendTo('a');
    expect(paths()).toHaveLength(1);
    await later(30);
    await sendTo('a');
    expect([paths(), await rows()]).toEqual([['a1', 'a1'], [{ state: 'sent', attempts: 1, error: null }]]);
  });

  it('does not hold up others while it hangs, and comes after them from then on', async () => {
    const other = test.context({ tenantId: await test.createTenant() });
    const isOver = Promise.withResolvers<void>();
    sink.respondWith(({ path }) => ({ status: 200, ...(path.startsWith('/a') && { after: isOver.promise }) }));
    await add(['a1', 'a2']);
    const process = startProcess();
    await process.sweep();
    await sink.received(1);
    await add(['c1'], other);
    await eventually(async () => (await process.sweep(), process.outcomes.includes('c1 http_200')));
    elapsedMs += 200;
    isOver.resolve();
    await process.drain();
    expect(process.outcomes).toEqual(['c1 http_200', 'a1 http_200']);

    await add(['c2'], other);
    for (const _ of ['c2', 'a2']) await process.sweep().then(process.drain);
    expect(paths().slice(2)).toEqual(['c2', 'a2']);
  });

  it('keeps nothing of an attempt whose claim another process has taken over', async () => {
    await add(['a1']);
    const isTaken = Promise.withResolvers<void>();
    sink.respondWith({ status: 500, after: isTaken.promise });
    const late = startProcess();
    await late.sweep();
    await sink.received(1);
    await later(30);
    const second = await ctx.inTransaction((tx) => claimNext(tx, kind, { host: 'a' }));
    isTaken.resolve();
    await late.drain();
    expect([late.outcomes, second?.fence]).toEqual([['a1 lease_lost'], 2]);
    expect(await rows()).toEqual([{ state: 'waiting', attempts: 0, error: null }]);
  });

  it('has messages that waited too long expired, and old ones removed', async () => {
    await add(['a1', 'a2']);
    await sendTo('a');
    await later(25 * 3_600);
    expect(await expireMessages(ctx.db, pings, 24)).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'sent' }, { state: 'expired', error: 'too_old' }]);
    await removeOldMessages(ctx.db, pings, 0);
    expect(await rows()).toHaveLength(2);
    await removeOldMessages(ctx.db, pings, 1);
    expect(await rows()).toMatchObject([{ state: 'expired' }]);
  });
});
