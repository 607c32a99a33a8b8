import { newId } from '@eas/core';
import { describeLateBacklog, useTestDatabase, type Works } from '@eas/testing';
import { readPlatformObjects, savePlatformObjects } from './platform-object.store.ts';
import { sweepOldTombstones } from './platform-object.sweeper.ts';
import { readTaskLinks } from './task-link.store.ts';
import { readLinkedTasks } from '../reporting/linked-task.read-model.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
let integrationIds: string[] = [];

const links = () => integrationIds.map((integrationRef, n) => ({ integrationRef, externalId: `x${n + 1}` }));
const objects = () => links().map((link) => ({ ...link, kind: 'list' as const }));

const works: Works = [
  ['links of tasks', (scope) => readTaskLinks(scope, links())],
  ['links by task', (scope) => readLinkedTasks(scope, ['tsk_1'])],
  ['copies of things', (scope) => readPlatformObjects(scope, objects())],
  [
    'saving copies',
    (scope) =>
      savePlatformObjects(
        scope,
        objects().map((key) => ({ ...key, data: {}, fieldDates: {}, updatedAt: new Date() })),
      ),
  ],
  ['a sweep of tombstones', ({ db }) => sweepOldTombstones(db, 90)],
];

const idSql = (prefix: string) => `'${prefix}_' || ulid_prefix(now()) || lpad(n::text, 16, '0')`;
const integrationsSql = `
  INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at)
  SELECT $1, ${idSql('int')}, 'taskplatform', now(), now()
  FROM generate_series(1, $2) AS n RETURNING id`;
const tasksSql = `
  INSERT INTO tasks (tenant_id, id, title, description, tags, created_at, updated_at, rank, timeline_seq)
  SELECT $1, 'tsk_' || lpad(n::text, 26, '0'), 't', 'd', '{}', now(), now(), now(), 1 FROM generate_series(1, $2) AS n`;
const linksSql = `
  INSERT INTO task_links (tenant_id, integration_ref, external_id, task_id, created_at)
  SELECT $1, ($2::text[])[1 + n % ${batch}], 'x' || n, 'tsk_' || lpad(n::text, 26, '0'), now()
  FROM generate_series(1, $3) AS n`;
const objectsSql = `
  INSERT INTO platform_objects (tenant_id, integration_ref, kind, external_id, data, updated_at, needed_at)
  SELECT $1, ($2::text[])[1 + n % ${batch}], 'list', 'x' || n, '{}', now(), CASE WHEN n % 2 = 0 THEN now() END FROM generate_series(1, $3) AS n`;

describeLateBacklog(test, {
  works,
  tables: ['task_links', 'platform_objects'],
  emptied: ['tasks', 'integrations'],
  async prepare() {
    integrationIds = Array.from({ length: batch }, () => newId('integration'));
  },
  async fill(tenantId) {
    const { db } = test.database;
    const made = await db.query<{ id: string }>(integrationsSql, [tenantId, batch]);
    integrationIds = made.map(({ id }) => id);
    await db.query(tasksSql, [tenantId, backlog]);
    for (const sql of [linksSql, objectsSql]) await db.query(sql, [tenantId, integrationIds, backlog]);
  },
  most: () => 500,
});
