import type { Tx, UseCaseContext } from '@eas/db';
import { eventually, useTestDatabase } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  addJob,
  cancelJob,
  countInTime,
  type DueJob,
  getJob,
  type JobRow,
  nextJobAt,
  sweepJob,
  type SweptKind,
} from './index.ts';

// A kind of job that marks the items of a box.
type Marking = JobRow & { box: string; maxPerSecond: number; total: number; marked: number };

const kind: SweptKind<Marking> = {
  name: 'marking',
  table: 'markings',
  idKind: 'replay',
  own: { box: true, maxPerSecond: true, total: true, marked: true },
  limits: { lock: 'running markings', perTenant: 2, perSubject: { field: 'box' } },
  position: 'after_item',
  progress: 'marked',
  isSubjectGone: `NOT EXISTS (SELECT FROM items i WHERE i.box = j.box)`,
  step: markItems,
};

const markSql = `
  UPDATE items SET marks = marks + 1
  WHERE id IN (SELECT id FROM items WHERE box = $1 AND id > $2 ORDER BY id LIMIT $3) RETURNING id`;

async function markItems({ db }: Tx, { box, position, maxPerSecond }: DueJob<Marking>) {
  const ids = (await db.query<{ id: string }>(markSql, [box, position, maxPerSecond])).map(({ id }) => id).sort();
  return { moved: ids.length, position: ids.at(-1) ?? position, isDone: ids.length < maxPerSecond };
}

const test = useTestDatabase();
let ctx: UseCaseContext;
const items = (tx: Tx) => tx.db.query<{ marks: number }>(`SELECT marks FROM items WHERE box = 'red' ORDER BY id`);
async function start(box = 'red', maxPerSecond = 2): Promise<Marking> {
  const own = {
    box,
    maxPerSecond,
    total: await countInTime(ctx, async (tx) => (await items(tx)).length, 'Too many.'),
    marked: 0,
  };
  const job = { ...own, createdBy: 'usr_1', createdAt: ctx.clock.now() };
  return ctx.inTransaction((tx) => addJob(tx, kind, job));
}
const sweep = () => test.database.inTransaction('', (tx) => sweepJob(tx, kind));
const marks = async () => (await ctx.inTransaction(items)).map((row) => row.marks);

const waitingSql = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'INSERT INTO markings'`;
const isWaiting = async () => (await ctx.db.query(waitingSql)).length === 1;

beforeEach(async () => {
  ctx = test.context({ tenantId: await test.createTenant() });
  await test.stopClock();
  await ctx.db.query(`CREATE TABLE markings (tenant_id text, id text, status text, box text, max_per_second int,
    total int, marked int, after_item text DEFAULT '', next_run_at timestamptz, created_by text,
    created_at timestamptz, updated_at timestamptz, finished_at timestamptz)`);
  await ctx.db.query(`CREATE UNIQUE INDEX ON markings (tenant_id, box) WHERE status = 'running'`);
  await ctx.db.query(`CREATE TABLE items AS SELECT 'red' AS box, 'item_' || n AS id, 0 AS marks
    FROM generate_series(1, 5) AS n UNION ALL SELECT 'blue', 'blue', 0`);
});
afterEach(async () => {
  await ctx.db.query('DROP TABLE markings, items');
  await test.startClock();
});

describe('a kind of job with a table of its own', () => {
  it('counts its items, and handles max_per_second of them a second until it completes', async () => {
    const { id, total } = await start();
    expect(total).toBe(5);
    expect(await nextJobAt(ctx.db, kind)).toEqual(expect.any(Date));
    expect([await sweep(), await sweep()]).toEqual([2, undefined]);
    expect(await getJob(ctx, kind, id)).toMatchObject({ status: 'running', marked: 2, finishedAt: null });
    for (const [second, moved] of [2, 1].entries()) {
      await test.shiftClock(second + 1);
      expect(await sweep()).toBe(moved);
    }
    expect(await getJob(ctx, kind, id)).toMatchObject({ status: 'completed', marked: 5, finishedAt: expect.any(Date) });
    expect(await marks()).toEqual([1, 1, 1, 1, 1]);
  });

  it('repeats the whole step after a crash in the middle of it', async () => {
    const { id } = await start();
    const crashing = {
      ...kind,
      step: async (...step: Parameters<typeof markItems>) => {
        await markItems(...step);
        throw new Error('killed');
      },
    };
    await expect(test.database.inTransaction('', (tx) => sweepJob(tx, crashing))).rejects.toThrow('killed');
    expect(await marks()).toEqual([0, 0, 0, 0, 0]);
    expect(await getJob(ctx, kind, id)).toMatchObject({ marked: 0 });
    expect(await sweep()).toBe(2);
    expect(await marks()).toEqual([1, 1, 0, 0, 0]);
  });

  it('is cancelled once, by a client or because its subject is gone', async () => {
    const { id } = await start();
    expect(await cancelJob(ctx, kind, id)).toMatchObject({ status: 'cancelled', marked: 0 });
    await expect(cancelJob(ctx, kind, id)).rejects.toThrow('The marking is cancelled already.');
    await expect(cancelJob(ctx, kind, 'rpl_1')).rejects.toThrow('The marking does not exist.');
    expect(await sweep()).toBeUndefined();
    const gone = await start('none');
    expect(await sweep()).toBe(0);
    expect(await getJob(ctx, kind, gone.id)).toMatchObject({ status: 'cancelled' });
  });

  it('is refused above the limits of a subject and of a tenant', async () => {
    const { id } = await start();
    await expect(start()).rejects.toThrow(`The marking ${id} is running. Cancel it, or wait for it to complete.`);
    await start('blue');
    await expect(start('green')).rejects.toThrow('A tenant can have at most 2 running markings.');
  });

  it('is refused when a process that does not lock adds one for the same subject at the same time', async () => {
    let refused: Promise<unknown> = Promise.resolve();
    await test.database.inTransaction(ctx.tenantId, async (tx) => {
      const sql = `INSERT INTO markings (tenant_id, id, status, box) VALUES ($1, 'rpl_1', 'running', 'red')`;
      await tx.db.query(sql, [tx.tenantId]);
      refused = expect(start()).rejects.toThrow('The marking rpl_1 is running.');
      await eventually(isWaiting);
    });
    await refused;
  });
});
