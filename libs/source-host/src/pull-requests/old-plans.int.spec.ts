import { describeLateBacklog, useTestDatabase, type Works } from '@eas/testing';
import { sweepOldPullRequests } from './pull-request.sweeper.ts';

const test = useTestDatabase();
const backlog = 20_000;
const batch = 50;

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

describeLateBacklog(test, {
  works,
  tables: ['pull_requests', 'pull_request_stages'],
  emptied: ['integrations'],
  prepare: async () => {},
  async fill(tenantId) {
    const { db } = test.database;
    const made = await db.query<{ id: string }>(integrationsSql, [tenantId, batch]);
    await db.query(pullRequestsSql, [tenantId, made.map(({ id }) => id), backlog]);
  },
  most: () => 500,
});
