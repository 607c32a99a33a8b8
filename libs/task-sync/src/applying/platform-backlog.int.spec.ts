import type { Db, Tx } from '@eas/db';
import { getTask } from '@eas/tasks';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openPlatformWriter } from './platform-writer.ts';
import { readReceipt } from '../merging/read-receipt.ts';

const test = useTestDatabase();
let tenantId = '';
const size = 20_000;
const idSql = `'tsk_' || lpad(n::text, 26, '0')`;

const fillSql = [
  `INSERT INTO tasks (tenant_id, id, title, description, tags, created_at, updated_at, rank, timeline_seq)
   SELECT $1, ${idSql}, 't', 'd', '{}', now(), now(), now(), 1 FROM generate_series(1, ${size}) AS n`,
  `INSERT INTO task_links (tenant_id, integration_ref, external_id, task_id, details, created_at)
   SELECT $1, 'int_1', 'x' || n, ${idSql}, jsonb_build_object('list', 'l' || n), now()
   FROM generate_series(1, ${size}) AS n`,
  `INSERT INTO platform_objects (tenant_id, integration_ref, kind, external_id, data, updated_at)
   SELECT $1, 'int_1', 'list', 'l' || n, jsonb_build_object('name', 'List', 'space_id', 's' || n), now()
   FROM generate_series(1, ${size}) AS n`,
];
const tables = ['tasks', 'task_links', 'platform_objects', 'leases'];

beforeAll(async () => {
  tenantId = await test.createTenant();
  // The planner knows the tables as they were before the tasks came.
  for (const table of tables) await test.database.db.query(`VACUUM ANALYZE ${table}`);
  for (const sql of fillSql) await test.database.db.query(sql, [tenantId]);
});

/** A transaction whose statements run one after the other, as they are explained. */
function inTurn(scope: Pick<Tx, 'db' | 'tenantId'>): Tx {
  let last: Promise<unknown> = Promise.resolve();
  const query = ((...call: Parameters<Db['query']>) => {
    const next = last.then(() => scope.db.query(...call));
    last = next.catch(() => {});
    return next;
  }) as Db['query'];
  return { tenantId: scope.tenantId, db: { ...scope.db, query }, pendingEvents: [], pendingWrites: [], notify() {} };
}

const body = (n: number) =>
  JSON.stringify({
    event: 'taskUpdated',
    task_id: `x${n}`,
    history_items: [{ field: 'status', after: 'done', date: 5 }],
  });

describe.each(['as the planner knew them before', 'as they are'])(`beside ${size} tasks, %s`, (known) => {
  beforeAll(async () => {
    if (known === 'as they are') for (const table of tables) await test.database.db.query(`ANALYZE ${table}`);
  });

  it('a batch reads the rows that it is about', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        readReceipt({
          id: `inb_${n}`,
          source: 'taskplatform',
          integrationRef: 'int_1',
          event: 'taskUpdated',
          externalId: `x${n + 1}`,
          body: body(n + 1),
          receivedAt: new Date(),
        }),
      ),
    );
    const read = await rowsReadBy({ database: test.database, tenantId }, async (scope) => {
      const tx = inTurn(scope);
      const writer = await openPlatformWriter(tx, receipts, new Map());
      for (const link of writer.state.links.values()) {
        const change = { taskId: link.taskId, changes: { title: 'other' } };
        const comments = { changes: [], copies: [] };
        await writer.write(test.context({ tenantId }), [
          { kind: 'task', key: link, change, comments },
          { kind: 'link', link: { ...link, platformStatus: 'done' } },
        ]);
      }
      await writer.save();
      await Promise.all(tx.pendingWrites);
    });
    for (const table of tables) expect([table, (read[table] ?? 0) < 1_500]).toEqual([table, true]);
  });

  it('a task is shown with what it belongs to by reading its rows', async () => {
    const ctx = test.context({ tenantId });
    const read = await rowsReadBy({ database: test.database, tenantId }, async (scope) => {
      const sql = 'SELECT platform FROM platform_task_view p WHERE p.tenant_id = $1 AND p.task_id = $2 LIMIT 1';
      await scope.db.query(sql, [tenantId, `tsk_${'7'.padStart(26, '0')}`]);
    });
    for (const table of tables) expect([table, (read[table] ?? 0) < 100]).toEqual([table, true]);
    const { body: task } = await getTask(ctx, `tsk_${'7'.padStart(26, '0')}`);
    expect(task.platform).toMatchObject({ list: { id: 'l7', name: 'List' }, space: { id: 's7' } });
  });
});
