import { describe, expect, it } from '@jest/globals';
import { requireTenants, unboundMentions } from './tenant-binding.ts';

const tables = ['tasks', 'leases', 'events'];

describe('a statement binds the tenant', () => {
  it.each([
    'SELECT id FROM tasks WHERE tenant_id = $1 AND id = $2',
    'SELECT count(*) FROM tasks t JOIN leases l ON l.tenant_id = t.tenant_id AND l.task_id = t.id WHERE t.tenant_id = $1',
    'SELECT FROM tasks t, leases l WHERE t.tenant_id = $1 AND l.tenant_id = $1',
    'SELECT FROM tasks JOIN leases USING (tenant_id, task_id) WHERE tenant_id = $1',
    'INSERT INTO tasks (tenant_id, id) SELECT tenant_id, id FROM json_to_recordset($1) AS s (tenant_id text, id text)',
    'UPDATE tasks SET title = $3 WHERE (tenant_id, id) = ($1, $2)',
    'DELETE FROM tasks t USING (SELECT $1::text AS tenant_id) d WHERE t.tenant_id = d.tenant_id',
    'SELECT "public"."tasks"."tenant_id" FROM "public"."tasks" WHERE "public"."tasks"."tenant_id" = $1',
    'INSERT INTO tasks (tenant_id) VALUES ($1) ON CONFLICT DO NOTHING',
    'INSERT INTO "public"."tasks" ("tenant_id","id") VALUES ($1,$2)',
    'SELECT slug FROM tenants',
    'SELECT FROM task_events',
  ])('%s', (sql) => {
    expect(unboundMentions(sql, tables)).toBe(0);
  });
});

describe('a statement does not bind the tenant', () => {
  it.each([
    'SELECT tenant_id, id FROM tasks WHERE id = $1',
    'SELECT tenant_id AS "tenantId" FROM tasks',
    'SELECT FROM tasks t JOIN leases l ON l.task_id = t.id WHERE t.tenant_id = $1',
    'SELECT FROM tasks t, leases l WHERE t.tenant_id = $1 AND l.task_id = t.id',
    'SELECT FROM tasks WHERE tenant_id = $1 AND EXISTS (SELECT FROM leases l WHERE l.task_id = tasks.id)',
    'INSERT INTO tasks (id) VALUES ($1)',
    'UPDATE tasks SET title = $2 WHERE id = $1',
    'DELETE FROM tasks',
    'SELECT "public"."tasks"."tenant_id" FROM "public"."tasks" WHERE "public"."tasks"."id" = $1 OFFSET $2',
  ])('%s', (sql) => {
    expect(unboundMentions(sql, tables)).toBeGreaterThan(0);
  });
});

describe('a statement of a suite', () => {
  const open = 'SELECT id FROM tasks WHERE id = $1';

  it('is refused with its file and its text when it does not bind the tenant', () => {
    const statements = new Map([[open, 'libs/tasks/src/reading/task.read-model.ts']]);
    expect(() => requireTenants(statements, tables)).toThrow(/task\.read-model\.ts:\nSELECT id FROM tasks/);
  });

  it('passes in a sweeper, and when it binds the tenant', () => {
    const statements = new Map([
      [open, 'libs/tasks/src/reading/task.sweeper.ts'],
      [`${open} AND tenant_id = $2`, 'libs/tasks/src/reading/task.read-model.ts'],
    ]);
    requireTenants(statements, tables);
  });
});
