import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { newId } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { pagesFetchedBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { createProject } from '../steering/create-project.ts';
import { claimTask } from '../working/claims/claim-task.ts';
import { createTask } from './create-task.ts';

const test = useTestDatabase();
const rules = { vetUrl: () => ({ isAllowed: true }) as const };
let ctx: UseCaseContext;
const ids: string[] = [];
const projects = 50;

/** Many other tenants have repositories of the same names. */
const othersSql = [
  `INSERT INTO tenants (id, slug, name) SELECT 'tnt_' || n, 't' || n, 't' FROM generate_series(1, 200) AS n`,
  `INSERT INTO projects (tenant_id, id, name, repositories, defaults, created_at, updated_at)
   SELECT 'tnt_' || t, 'prj_' || n, 'p' || n, '[]', '{}', now(), now()
   FROM generate_series(1, 200) AS t, generate_series(1, 100) AS n`,
  `INSERT INTO project_repositories (tenant_id, name, project_id)
   SELECT 'tnt_' || t, 'web-' || n, 'prj_' || n FROM generate_series(1, 200) AS t, generate_series(1, 100) AS n`,
  'ANALYZE projects, project_repositories',
];

beforeAll(async () => {
  ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  for (let n = 0; n < projects; n += 1) {
    const repositories = [`web-${n}`, `api-${n}`].map((name) => ({
      url: `https://github.com/acme/${name}`,
      base_branch: 'main',
      setup: null,
      copy_files: [],
      checks: [],
    }));
    const project = { name: `p${n}`, description: null, repositories, defaults: {}, max_rework_rounds: 3 };
    ids.push((await createProject(ctx, project, rules)).body.id);
  }
  for (const sql of othersSql) await ctx.db.query(sql);
});

/** How many statements read projects. */
async function readsOfProjects(work: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const count = (text: unknown) => void (/ (from|join) project/i.test(String(text)) && (reads += 1));
  subscribe('eas.db.statements', count);
  await work();
  unsubscribe('eas.db.statements', count);
  return reads;
}

const createAll = (inputs: readonly Parameters<typeof newTask>[0][]) =>
  Promise.all(inputs.map((given) => createTask(ctx, newTask(given))));
const many = Array.from({ length: 40 }, (_, n) => n);

describe('projects are read', () => {
  it('not for tasks that name neither a project nor a repository', async () => {
    expect(await readsOfProjects(() => createAll(many.map(() => ({ metadata: { ticket_id: 'T-1' } }))))).toBe(0);
  });

  it('with few statements for concurrently created tasks', async () => {
    const inputs = many.map((n) => (n % 2 ? { project: ids[n] } : { metadata: { repository: `acme/api-${n}` } }));
    let made: { project: string | null }[] = [];
    expect([1, 2]).toContain(await readsOfProjects(async () => void (made = await createAll(inputs))));
    expect(made.map(({ project }) => project)).toEqual(many.map((n) => ids[n]));
  });

  it('with one statement for claims of one transaction, and none if no task has a project', async () => {
    const claimAll = async (role: string, given: Parameters<typeof newTask>[0]) => {
      const agents = await Promise.all(
        many
          .slice(0, 8)
          .map((n) => createAgent(ctx, { name: `A${n}`, role, capabilities: [], max_concurrent_tasks: 1 })),
      );
      await createAll(agents.map(() => ({ assigned_role: role, ...given })));
      return readsOfProjects(async () => {
        const claims = await Promise.all(agents.map(({ id }) => claimTask(ctx, { agentId: id })));
        expect(claims.filter(({ claim }) => claim === undefined)).toEqual([]);
      });
    };
    expect(await claimAll('without', {})).toBe(0);
    // A claim that finds the tasks locked by others queries separately.
    expect([1, 2, 3]).toContain(await claimAll('with', { project: ids[3] }));
  });

  it('by their keys, however many there are', async () => {
    const pages = await pagesFetchedBy({ database: test.database, tenantId: ctx.tenantId }, (tx) =>
      createTask(contextInTransaction(ctx, tx), newTask({ metadata: { repository: 'web-7' } })),
    );
    expect([(pages['projects'] ?? 0) < 15, (pages['project_repositories'] ?? 0) < 10]).toEqual([true, true]);
  });
});
