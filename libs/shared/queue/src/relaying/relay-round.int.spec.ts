import { silentLogger, useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { appendReceipts } from '../consuming/consumer.fixture.ts';
import type { RelayOptions } from './relay-options.ts';
import { firstRound, relayRound, type Round } from './relay-round.ts';

const test = useTestDatabase();
const queues: RelayOptions['queues'] = { send: async () => {}, depths: async () => ({}) as never };
const next = (before: Round) => relayRound({ database: test.database, queues, logger: silentLogger }, before);
const append = async (tenantId: string, count: number) =>
  appendReceipts(
    test.context({ tenantId }),
    Array.from({ length: count }, (_, n) => `receipt ${n}`),
  );
/** As if the search had been just now, and searches beside the known backlogs, or whole ones, had taken so long. */
const after = (round: Round, besideTookMs: number, wholeTookMs = round.search.wholeTookMs): Round => {
  const now = performance.now();
  return { ...round, search: { ...round.search, besideTookMs, wholeTookMs, atMs: now, wholeAtMs: now } };
};
/** With nothing to send, and long before the next whole search. */
const resting = (round: Round): Round => ({ ...round, sent: 0, search: { ...round.search, wholeAtMs: Infinity } });

it('a round takes from the backlogs that are known, and looks for others when those have nothing or it is time', async () => {
  const [known, late] = [await test.createTenant(), await test.createTenant()];
  await append(known, 3);
  const first = await next(firstRound);
  expect([first.sent, first.search.isNew]).toEqual([3, true]);
  await append(known, 2);
  await append(late, 5);
  const second = await next(after(first, 60_000));
  expect([second.sent, second.search.isNew]).toEqual([2, false]);
  const empty = await next(second);
  expect([empty.sent, empty.search.isNew]).toEqual([0, false]);
  const third = await next(empty);
  expect([third.sent, third.search.isNew]).toEqual([5, true]);
  await append(known, 1);
  await append(late, 1);
  const inTime = await next(after(third, 0));
  expect([inTime.sent, inTime.search.isNew]).toEqual([2, true]);
});

it('others are found at once behind a whole search that took long, and the next whole one waits twenty times as long, ten seconds at most', async () => {
  const [known, late] = [await test.createTenant(), await test.createTenant()];
  await append(known, 1);
  const first = await next(firstRound);
  await append(known, 1);
  await append(late, 1);
  const second = await next(after(first, 0, 60_000));
  expect([second.sent, second.search.isNew, second.search.isWhole]).toEqual([2, true, false]);
  const isWhole = async (wholeTookMs: number, agoMs: number) => {
    const search = { ...second.search, wholeTookMs, wholeAtMs: performance.now() - agoMs };
    return (await next({ ...second, sent: 0, search })).search.isWhole;
  };
  expect([await isWhole(300, 5_000), await isWhole(300, 6_001)]).toEqual([false, true]);
  expect([await isWhole(60_000, 9_000), await isWhole(60_000, 10_001)]).toEqual([false, true]);
});

it('a known backlog is read from where it was, others beside it, and what came late by a whole search', async () => {
  const tenants = [await test.createTenant(), await test.createTenant(), await test.createTenant()].sort();
  const [first = '', between = '', last = ''] = tenants;
  for (const tenantId of [first, last]) await append(tenantId, 1);
  const whole = await next(firstRound);
  expect([whole.sent, whole.search.isWhole]).toEqual([2, true]);
  for (const tenantId of tenants) await append(tenantId, 2);
  const beside = await next(resting(whole));
  expect([beside.sent, beside.search.isWhole]).toEqual([6, false]);
  await append(between, 3);
  await test.database.db.query(
    `UPDATE outbox SET available_at = available_at - interval '1 minute' WHERE sent_at IS NULL`,
  );
  const hidden = await next(resting(beside));
  expect([hidden.sent, hidden.search.isWhole]).toEqual([0, false]);
  const found = await next({ ...hidden, search: { ...hidden.search, wholeAtMs: -Infinity } });
  expect([found.sent, found.search.isWhole]).toEqual([3, true]);
});
