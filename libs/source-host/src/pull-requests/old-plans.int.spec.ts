import { newId } from '@eas/core';
import type { Database } from '@eas/db';
import { emptyTables, planEarly, rowsFetchedBy, useTestDatabase, type Works } from '@eas/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sweepOldPullRequests } from './pull-request.sweeper.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;
let tenantId = '';
let integrationIds: string[] = [];
let oneConnection: Database;

const works: Works = [['a sweep of pull requests', ({ db }) => sweepOldPullRequests(db, 90)]];

const idSql = (prefix: string) => `'${prefix}_' || ulid_prefix(now()) || lpad(n::text, 16, '0')`;
const integrationsSql = `
  INSERT INTO integrations (tenant_id, id, type, connected_at, updated_at)
  SELECT $1, ${idSql('int')}, 'taskplatform', now(), now()
  FROM generate_series(1, $2) AS n RETURNING id`;
const pullRequestsSql = `
  WITH made AS (
    INSERT INTO pull_requests (tenant_id, integration_ref, repository, number, created_at)
    SELECT $1, ($2::text[])[1 + n % ${batch}], 'acme/web', n, now() - n % 1000 / 999 * interval '91 days'
    FROM generate_series(1, $3) AS n RETURNING *
  )
  INSERT INTO pull_request_stages (tenant_id, integration_ref, repository, number, stage, at, data)
  SELECT tenant_id, integration_ref, repository, number, 'opened', now(), '{}' FROM made`;

const tables = ['pull_requests', 'pull_request_stages'];

describe.each(emptyTables(tables))(
  'a backlog that came after the statements were planned for %s table',
  (_, vacuum) => {
    beforeAll(async () => {
      const { db } = test.database;
      await db.query(`TRUNCATE ${tables.join(', ')}, integrations CASCADE`);
      await db.query(vacuum);
      tenantId = await test.createTenant();
      integrationIds = Array.from({ length: batch }, () => newId('integration'));
      oneConnection = await planEarly(test.url, tenantId, works);
      const made = await db.query<{ id: string }>(integrationsSql, [tenantId, batch]);
      integrationIds = made.map(({ id }) => id);
      await db.query(pullRequestsSql, [tenantId, integrationIds, backlog]);
    });
    afterAll(() => oneConnection.close());

    it.each(works)('%s reads no more than it needs', async (_title, work) => {
      const read = await rowsFetchedBy({ database: oneConnection, tenantId }, work);
      for (const table of tables) expect([table, Math.max(read[table] ?? 0, 500)]).toEqual([table, 500]);
    });
  },
);
