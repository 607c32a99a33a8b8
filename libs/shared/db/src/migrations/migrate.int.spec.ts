import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { useTestDatabase } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { emptyDatabase, withScratchDatabase } from './admin.ts';
import { diffFromSchema, migrate } from './migrate.ts';
import { append } from '../transactions/outbox.ts';
import { createEventPartitions } from './partitions.ts';
import { idLowerBound, newId } from '@eas/core';

const test = useTestDatabase();
const folder = resolve(import.meta.dirname, '../../../../../prisma/migrations');
const migrations = readdirSync(folder)
  .filter((name) => /^\d+_/.test(name))
  .sort();

describe('migrating', () => {
  it('brings a new database to the schema, once, however many processes try at a time', async () => {
    await withScratchDatabase(test.url, async (url) => {
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      expect(applied.flat().sort()).toEqual(migrations);
      expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
      expect(await migrate(url)).toEqual([]);
      expect(await diffFromSchema(url)).toMatch(/^(-- This is an empty migration\.)?\s*$/);
      await emptyDatabase(url);
      expect(await migrate(url)).toEqual(migrations);
    });
  });

  it('does nothing to a database that is up to date and in use', async () => {
    await test.database.inTransaction(await test.createTenant(), async (tx) => {
      await tx.db.query('SELECT count(*) FROM tasks');
      expect(await migrate(test.url)).toEqual([]);
    });
  });
});

/** The time when the template of the test databases got its partitions: a run may span the end of a month. */
async function madeAt(): Promise<Date | undefined> {
  const sql = 'SELECT min(started_at) AS at FROM _prisma_migrations';
  return (await test.database.db.query<{ at: Date }>(sql))[0]?.at;
}

const monthName = (monthsAhead: number, from = new Date()) =>
  new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + monthsAhead, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '_');
const partitionsOf = async (parent: string) =>
  (
    await test.database.db.query<{ name: string }>(
      'SELECT relid::text AS name FROM pg_partition_tree($1::text::regclass) WHERE isleaf ORDER BY 1',
      [parent],
    )
  ).map(({ name }) => name.slice(parent.length + 1));

/** Appends an event whose id was made at a moment and returns the partition that it fell into. */
async function partitionOfEventAt(atMs: number): Promise<string> {
  const tenantId = await test.createTenant();
  const eventId = idLowerBound('event', atMs) + newId('event').slice(-16);
  await test.database.inTransaction(tenantId, async (tx) => {
    append(tx, { type: 'inbound.received', at: new Date(atMs), data: { inbound_event_id: 'i' }, facts: null, eventId });
  });
  const rows = await test.database.db.query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM events WHERE tenant_id = $1',
    [tenantId],
  );
  return rows.map(({ name }) => name).join();
}

describe('the monthly partitions', () => {
  afterEach(() => test.shiftClock(0));

  it.each(['events', 'deliveries', 'attempts'])(
    'of %s exist from last month to the month after next',
    async (parent) => {
      const from = await madeAt();
      expect(await partitionsOf(parent)).toEqual([...[-1, 0, 1, 2].map((ahead) => monthName(ahead, from)), 'default']);
    },
  );

  it('contain the events of their month, from its first to its last millisecond in UTC', async () => {
    const now = new Date();
    const firstMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(await partitionOfEventAt(firstMs)).toBe(`events_${monthName(1)}`);
    expect(await partitionOfEventAt(firstMs - 1)).toBe(`events_${monthName(0)}`);
  });

  it('lose no event of a month without a partition', async () => {
    expect(await partitionOfEventAt(Date.UTC(2040, 0, 15))).toBe('events_default');
  });

  it('are created ahead as time passes; creating them again changes nothing', async () => {
    const monthSeconds = 31 * 86_400;
    await test.shiftClock(6 * monthSeconds);
    const later = new Date(Date.now() + 6 * monthSeconds * 1_000);
    await Promise.all([1, 2, 3].map(() => createEventPartitions(test.database.db)));
    await createEventPartitions(test.database.db);
    for (const parent of ['events', 'deliveries', 'attempts'])
      expect(await partitionsOf(parent)).toEqual(expect.arrayContaining([0, 1, 2].map((n) => monthName(n, later))));
    expect(await partitionOfEventAt(later.getTime())).toBe(`events_${monthName(0, later)}`);
  });

  it('are postponed while the tables are in use, so that writes do not wait behind them', async () => {
    const yearSeconds = 366 * 86_400;
    await test.shiftClock(yearSeconds);
    const lockTimeout = () => test.database.db.query('SHOW lock_timeout');
    const before = await lockTimeout();
    await test.database.inTransaction(await test.createTenant(), async (tx) => {
      await tx.db.query('LOCK TABLE events IN ROW EXCLUSIVE MODE');
      await expect(createEventPartitions(test.database.db)).rejects.toThrow('lock timeout');
    });
    expect(await lockTimeout()).toEqual(before);
    await createEventPartitions(test.database.db);
    expect(await partitionsOf('events')).toContain(monthName(0, new Date(Date.now() + yearSeconds * 1_000)));
  });

  it('are created for the coming months even if events of this month are in the default partition', async () => {
    const yearSeconds = 366 * 86_400;
    const later = new Date(Date.now() + 2 * yearSeconds * 1_000);
    expect(await partitionOfEventAt(later.getTime())).toBe('events_default');
    await test.shiftClock(2 * yearSeconds);
    await createEventPartitions(test.database.db);
    const months = await partitionsOf('events');
    expect(months).not.toContain(monthName(0, later));
    for (const parent of ['events', 'deliveries', 'attempts'])
      expect(await partitionsOf(parent)).toEqual(expect.arrayContaining([monthName(1, later), monthName(2, later)]));
    expect(await partitionsOf('attempts')).toEqual(months);
    expect(await partitionOfEventAt(later.getTime())).toBe('events_default');
  });
});
