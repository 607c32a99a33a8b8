import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EarlyConsumer } from './early-consumers.ts';
import { append } from './outbox.ts';
import { sendWrite, type Tx } from './tx.ts';

const test = useTestDatabase();
let tenantId = '';
let consume: EarlyConsumer = async () => [];
beforeEach(async () => {
  tenantId = await test.createTenant();
  await test.database.db.query('CREATE TABLE IF NOT EXISTS effects (text text PRIMARY KEY)');
  await test.database.db.query('TRUNCATE effects');
  test.database.consumeEarly('inbound.apply', (tx, events) => consume(tx, events));
});

const addEffect = (tx: Tx, text: string) => tx.db.query('INSERT INTO effects VALUES ($1)', [text]);
const receive = (tx: Tx, id: string) =>
  append(tx, { type: 'inbound.received', at: new Date(), data: { inbound_event_id: id }, facts: null });
const receiveTwo = () =>
  test.database.inTransaction(tenantId, async (tx) => [receive(tx, 'in_1'), receive(tx, 'in_2')]);
const readState = async () => {
  const effects = await test.database.db.query<{ text: string }>('SELECT text FROM effects ORDER BY text');
  const pending = await test.database.db.query<{ id: string }>(
    'SELECT event_id AS id FROM outbox WHERE tenant_id = $1 ORDER BY event_id',
    [tenantId],
  );
  const events = await test.database.db.query('SELECT FROM events WHERE tenant_id = $1', [tenantId]);
  return { effects: effects.map(({ text }) => text), pending: pending.map(({ id }) => id), events: events.length };
};

describe('an early consumer', () => {
  it('gets the events of a transaction before its commit, and those that it consumes are left to no job', async () => {
    consume = async (tx, events) => {
      await addEffect(tx, events.map(({ type, data }) => `${type} ${JSON.stringify(data)}`).join());
      return events.slice(1).map(({ eventId }) => eventId);
    };
    const [first] = await receiveTwo();
    const text = ['in_1', 'in_2'].map((id) => `inbound.received {"inbound_event_id":"${id}"}`).join();
    expect(await readState()).toEqual({ effects: [text], pending: [first], events: 2 });
  });

  it('leaves events that it appends itself to jobs', async () => {
    consume = async (tx, events) => {
      receive(tx, 'in_3');
      return events.map(({ eventId }) => eventId);
    };
    await receiveTwo();
    const { pending, events } = await readState();
    expect([pending.length, events]).toEqual([1, 3]);
  });

  it.each<[string, EarlyConsumer]>([
    ['an error', async (tx) => addEffect(tx, 'lost').then(() => Promise.reject(new Error('a defect')))],
    [
      'a statement that fails',
      async (tx) =>
        addEffect(tx, 'lost')
          .then(() => addEffect(tx, 'lost'))
          .then(() => []),
    ],
  ])('leaves all to the job after %s, and undoes what it has written', async (_, failing) => {
    consume = failing;
    const ids = await receiveTwo();
    expect(await readState()).toEqual({ effects: [], pending: ids, events: 2 });
  });

  it('is undone with the transaction when that fails', async () => {
    consume = async (tx, events) => {
      await addEffect(tx, 'undone');
      return events.map(({ eventId }) => eventId);
    };
    const failing = test.database.inTransaction(tenantId, async (tx) => {
      receive(tx, 'in_1');
      void tx.db.query('SELECT 1 / 0').catch(() => {});
    });
    await expect(failing).rejects.toThrow();
    expect(await readState()).toEqual({ effects: [], pending: [], events: 0 });
  });

  it('does not hide why a write of the transaction failed', async () => {
    const failing = test.database.inTransaction(tenantId, async (tx) => {
      receive(tx, 'in_1');
      sendWrite(tx, 'SELECT 1 / 0', []);
    });
    await expect(failing).rejects.toThrow('division by zero');
  });
});
