import type { Consumer } from '@eas/contracts';
import { inFreshIndexOrderSql, takePendingEvents, type Tx } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { wakeFollowers } from './followers.sweeper.ts';
import { numberEvents } from './numbers.sweeper.ts';
import { claimUnsent, findBacklogs, firstBacklogKey } from './outbox.sweeper.ts';

const test = useTestDatabase();
let tenantId = '';
let made = 0;
beforeEach(async () => {
  tenantId = await test.createTenant();
  hasCapacity = true;
  await test.database.db.query('TRUNCATE outbox, event_numbers, event_counters, event_cursors');
});

const consumer = 'facts.follow' satisfies Consumer;
const newEvent = async () => {
  made += 1;
  const [event] = await test.database.db.query<{ id: string }>(
    `INSERT INTO events (tenant_id, event_id, event_type, occurred_at, data)
     VALUES ($1, 'evt_' || ulid_prefix(now()) || lpad($2::text, 16, '0'), 'task.commented', now(), '{}') RETURNING event_id AS id`,
    [tenantId, made],
  );
  return event?.id ?? '';
};
let hasCapacity = true;
/** Gives events their numbers as a round of the relay does. Returns what that round sends. */
async function number(tx: Tx, ...eventIds: string[]) {
  const events = eventIds.map((eventId) => ({ tenantId, eventId }));
  return wakeFollowers(tx, await numberEvents(tx.db, events), () => hasCapacity);
}
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => test.database.inTransaction(tenantId, work);
const pending = () =>
  test.database.db.query<{ id: string; isSent: boolean; waitsMs: number }>(
    `SELECT event_id AS id, sent_at IS NOT NULL AS "isSent", extract(epoch FROM available_at - app_now())::float8 * 1000 AS "waitsMs"
     FROM outbox WHERE consumer = $1 ORDER BY event_id`,
    [consumer],
  );
/** What a relay marks as sent now. */
const claim = () =>
  inTransaction(async ({ db }) => {
    await db.query(inFreshIndexOrderSql);
    const backlogs = (await findBacklogs(db, firstBacklogKey, 10)).filter((one) => one.consumer === consumer);
    return backlogs.length === 0 ? [] : claimUnsent(db, backlogs, [10]);
  });
const fanOutRows = () =>
  test.database.db.query(
    `SELECT event_id AS id, sent_at IS NOT NULL AS "isSent" FROM outbox WHERE consumer = 'fan_out.follow' ORDER BY 1`,
  );
const makeDue = () => test.database.db.query('UPDATE outbox SET available_at = app_now()');

describe('a consumer that follows the numbers of events', () => {
  it('is due within half a second, once for all of a tenant', async () => {
    for (let n = 0; n < 3; n += 1) {
      const ids = [await newEvent(), await newEvent()];
      await inTransaction((tx) => number(tx, ...ids));
    }
    const rows = await pending();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.waitsMs).toBeLessThanOrEqual(500);
  });

  it('goes on with the next numbers if its position is ahead of all, as after a restore of other tables', async () => {
    const position = async () =>
      (
        await test.database.db.query<{ number: number }>('SELECT number::int FROM event_cursors WHERE consumer = $1', [
          consumer,
        ])
      )[0]?.number;
    const [first, second, third] = [await newEvent(), await newEvent(), await newEvent()];
    await inTransaction((tx) => number(tx, first));
    await test.database.db.query('UPDATE event_cursors SET number = 1000');
    await inTransaction((tx) => number(tx, second));
    expect(await position()).toBe(1);
    await inTransaction((tx) => number(tx, third));
    expect(await position()).toBe(1);
  });

  it('is sent only after the numbers that it is due for can be seen', async () => {
    const [first, second] = [await newEvent(), await newEvent()];
    await inTransaction((tx) => number(tx, first));
    await makeDue();
    await inTransaction(async (tx) => {
      await number(tx, second);
      expect(await claim()).toEqual([]);
      expect(
        await test.context({ tenantId }).inTransaction((other) => takePendingEvents(other, consumer, [first])),
      ).toEqual([]);
    });
    expect(await claim()).toMatchObject([{ tenantId, eventId: first, consumer }]);
  });

  it('is due again for numbers that come while it is being sent, and after it was', async () => {
    const ids = [await newEvent(), await newEvent(), await newEvent()] as const;
    await inTransaction((tx) => number(tx, ids[0]));
    await makeDue();
    await inTransaction(async (tx) => {
      await tx.db.query('SELECT FROM outbox FOR UPDATE');
      await inTransaction((other) => number(other, ids[1]));
    });
    expect((await pending()).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await makeDue();
    await claim();
    await inTransaction((tx) => number(tx, ids[2]));
    expect(await pending()).toMatchObject([{ isSent: true }, { isSent: true }, { id: ids[2], isSent: false }]);
  });

  it('is sent in the same round if it does not batch, and only for tenants that subscribed', async () => {
    const [first, second] = [await newEvent(), await newEvent()];
    expect(await inTransaction((tx) => number(tx, first))).toEqual([]);
    expect(await fanOutRows()).toEqual([]);
    await test.database.db.query('INSERT INTO subscribed_tenants VALUES ($1)', [tenantId]);
    const sent = await inTransaction((tx) => number(tx, second));
    expect(sent).toMatchObject([{ tenantId, eventId: second, consumer: 'fan_out.follow', attempts: 0 }]);
    expect(await fanOutRows()).toEqual([{ id: second, isSent: true }]);
    const cursorsSql = `SELECT consumer, number::int FROM event_cursors ORDER BY consumer`;
    expect(await test.database.db.query(cursorsSql)).toEqual([
      { consumer: 'facts.follow', number: 0 },
      { consumer: 'fan_out.follow', number: 1 },
      { consumer: 'plan.follow', number: 0 },
      { consumer: 'tell.follow', number: 1 },
    ]);
  });

  it('waits for a later round, one row for all, while its queue has no capacity', async () => {
    const ids = [await newEvent(), await newEvent(), await newEvent()] as const;
    await test.database.db.query('INSERT INTO subscribed_tenants VALUES ($1)', [tenantId]);
    hasCapacity = false;
    for (const id of ids.slice(0, 2)) expect(await inTransaction((tx) => number(tx, id))).toEqual([]);
    expect(await fanOutRows()).toEqual([{ id: ids[0], isSent: false }]);
    hasCapacity = true;
    expect(await inTransaction((tx) => number(tx, ids[2]))).toEqual([]);
    expect(await fanOutRows()).toEqual([{ id: ids[0], isSent: false }]);
  });
});
