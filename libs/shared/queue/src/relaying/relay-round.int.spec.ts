import { silentLogger, useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { appendReceipts } from '../consuming/consumer.fixture.ts';
import type { RelayOptions } from './relay-options.ts';
import { nextUnsentAt } from './outbox.sweeper.ts';
import { firstRound, relayRound, type Round } from './relay-round.ts';

const test = useTestDatabase();
const queues: RelayOptions['queues'] = { send: async () => {}, depths: async () => ({}) as never };
const next = (before: Round) => relayRound({ database: test.database, queues, logger: silentLogger }, before);
const append = async (tenantId: string, count: number) =>
  appendReceipts(
    test.context({ tenantId }),
    Array.from({ length: count }, (_, n) => `receipt ${n}`),
  );
/** As if the last search was just now, and partial or full searches had taken this long. */
const after = (round: Round, partialTookMs: number, fullTookMs = round.search.fullTookMs): Round => {
  const now = performance.now();
  return { ...round, search: { ...round.search, partialTookMs, fullTookMs, atMs: now, fullAtMs: now } };
};
/** With nothing to send, and long before the next full search. */
const resting = (round: Round): Round => ({ ...round, sent: 0, search: { ...round.search, fullAtMs: Infinity } });

it('a round takes from the known backlogs, and searches for others when those are empty or it is time', async () => {
  const [known, late] = [await test.createTenant(), await test.createTenant()];
  await append(known, 3);
  expect(await nextUnsentAt(test.database.db)).toEqual(expect.any(Date));
  const first = await next(firstRound);
  expect([first.sent, first.search.isNew]).toEqual([3, true]);
  expect(await nextUnsentAt(test.database.db)).toBeNull();
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

it('others are found at once after a slow full search, and the next full search waits twenty times as long as that took, ten seconds at most', async () => {
  const [known, late] = [await test.createTenant(), await test.createTenant()];
  await append(known, 1);
  const first = await next(firstRound);
  await append(known, 1);
  await append(late, 1);
  const second = await next(after(first, 0, 60_000));
  expect([second.sent, second.search.isNew, second.search.isFull]).toEqual([2, true, false]);
  const isFull = async (fullTookMs: number, agoMs: number) => {
    const search = { ...second.search, fullTookMs, fullAtMs: performance.now() - agoMs };
    return (await next({ ...second, sent: 0, search })).search.isFull;
  };
  expect([await isFull(300, 5_000), await isFull(300, 6_001)]).toEqual([false, true]);
  expect([await isFull(60_000, 9_000), await isFull(60_000, 10_001)]).toEqual([false, true]);
});

it('a partial search reads known backlogs from their position and finds new ones, a full search finds late rows', async () => {
  const tenants = [await test.createTenant(), await test.createTenant(), await test.createTenant()].sort();
  const [first = '', between = '', last = ''] = tenants;
  for (const tenantId of [first, last]) await append(tenantId, 1);
  const full = await next(firstRound);
  expect([full.sent, full.search.isFull]).toEqual([2, true]);
  for (const tenantId of tenants) await append(tenantId, 2);
  const partial = await next(resting(full));
  expect([partial.sent, partial.search.isFull]).toEqual([6, false]);
  await append(between, 3);
  await test.database.db.query(
    `UPDATE outbox SET available_at = available_at - interval '1 minute' WHERE sent_at IS NULL`,
  );
  const hidden = await next(resting(partial));
  expect([hidden.sent, hidden.search.isFull]).toEqual([0, false]);
  const found = await next({ ...hidden, search: { ...hidden.search, fullAtMs: -Infinity } });
  expect([found.sent, found.search.isFull]).toEqual([3, true]);
});
