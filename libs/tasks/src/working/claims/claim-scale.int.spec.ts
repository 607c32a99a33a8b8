import type { Db } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findProjectsLeft, pickOfRoles, pickTask, pickTaskOf } from './claim.store.ts';

const test = useTestDatabase();
const agentIds = ['agt_1', 'agt_2'];
let tenantId = '';

const fillAgentsSql = `
  INSERT INTO agents (tenant_id, id, name, role, capabilities, max_concurrent_tasks, created_at, updated_at)
  SELECT $1, id, id, 'rd', '{}', 1, app_now(), app_now() FROM unnest($2::text[]) AS id`;
const fillTasksSql = `
  INSERT INTO tasks (tenant_id, id, title, description, priority, status, tags, metadata, assigned_role, lost_by,
    created_at, updated_at, rank, timeline_seq)
  SELECT $1, 'tsk_' || coalesce($2, 'none') || n, 'One of many', '', 'medium', 'created', '{}', $3::jsonb, $2, $4,
    app_now(), app_now(), app_now() - n * interval '1 ms', 1
  FROM generate_series(1, 3000) AS n`;
const giveProjectSql = `UPDATE tasks SET project_id = $2 WHERE tenant_id = $1 AND id = ANY ($3)`;
const putInto = (project: string, ids: readonly string[]) =>
  test.database.db.query(giveProjectSql, [tenantId, project, ids]);
const fill = (role: string | null, metadata = {}, lostBy: string | null = null) =>
  test.database.db.query(fillTasksSql, [tenantId, role, JSON.stringify(metadata), lostBy]);

async function open() {
  tenantId = await test.createTenant();
  await test.database.db.query(fillAgentsSql, [tenantId, agentIds]);
}

beforeAll(async () => {
  await open();
  await fill('qa');
  await fill(null);
  await test.database.db.query('ANALYZE tasks');
});

type Plan = Record<string, number | string> & { Plans?: Plan[] };

/** Rows of tasks that a plan read, including skipped ones. */
function tasksRead({ Plans: inner = [], ...node }: Plan): number {
  const own = node['Relation Name'] === 'tasks' ? Number(node['Actual Rows']) : 0;
  const skipped = node['Relation Name'] === 'tasks' ? Number(node['Rows Removed by Filter'] ?? 0) : 0;
  const loops = Number(node['Actual Loops']);
  return inner.reduce((sum, plan) => sum + tasksRead(plan), loops * (own + skipped));
}

/** How many tasks a poll reads. */
async function readBy(poll: (scope: { db: Db; tenantId: string }) => Promise<unknown>): Promise<number> {
  let read = 0;
  const { db } = test.database;
  const query: Db['query'] = async (text, values) => {
    const options = { isPrepared: false };
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
    const [row] = await db.query<Record<string, { Plan: Plan }[]>>(explain, values, options);
    read += tasksRead(row?.['QUERY PLAN']?.[0]?.Plan as Plan);
    return [];
  };
  await poll({ db: { ...db, query }, tenantId });
  // Means over the loops of a node are rounded.
  return Math.round(read);
}

describe('a poll for work among thousands of tasks', () => {
  it('reads one of those without a role', async () => {
    expect(await readBy((scope) => pickTask(scope, 'agt_1'))).toBe(1);
  });

  it('reads one task of a role per polling agent', async () => {
    await fill('rd');
    expect(await readBy((scope) => pickTask(scope, 'agt_1'))).toBe(1);
    expect(await readBy((scope) => pickOfRoles(scope, agentIds))).toBe(2);
  });

  it('reads none that others lost, and none of its role again when none is left', async () => {
    await open();
    await fill('qa', {}, 'agt_3');
    await fill('rd', { required_capabilities: ['rust'] });
    await test.database.db.query('ANALYZE tasks');
    expect(await readBy((scope) => pickTask(scope, 'agt_1', { isLeftOfRole: false }))).toBe(0);
  });

  it.each([
    ['of its role', 'rd'],
    ['without a role', null],
  ])('of some projects reads two tasks %s, however many others have', async (_, role) => {
    await open();
    await fill(role);
    const all = Array.from({ length: 3_000 }, (__, n) => `tsk_${role ?? 'none'}${n + 1}`);
    await putInto('prj_many', all);
    await test.database.db.query('ANALYZE tasks');
    expect(await readBy((scope) => pickTaskOf(scope, 'agt_1', ['prj_1', 'prj_2']))).toBe(0);
    const [first = '', second = ''] = all;
    await putInto('prj_1', [first]);
    await putInto('prj_2', [second]);
    expect(await readBy((scope) => pickTaskOf(scope, 'agt_1', ['prj_1']))).toBe(2);
    expect(await readBy((scope) => pickTaskOf(scope, 'agt_1', ['prj_1', 'prj_2', 'prj_3']))).toBe(3);
  });

  it('reads two tasks without a project, however many tasks the projects have', async () => {
    await open();
    await fill('rd');
    const all = Array.from({ length: 3_000 }, (_, n) => `tsk_rd${n + 1}`);
    await putInto('prj_many', all.slice(1));
    await test.database.db.query('ANALYZE tasks');
    expect(await readBy((scope) => pickTaskOf(scope, 'agt_1', ['']))).toBe(2);
  });

  it('for the projects that have something left reads one task of each', async () => {
    await putInto('prj_1', ['tsk_rd2', 'tsk_rd3']);
    expect(await readBy((scope) => findProjectsLeft(scope, undefined))).toBe(3);
    expect(await findProjectsLeft({ db: test.database.db, tenantId }, undefined)).toEqual(['', 'prj_1', 'prj_many']);
  });
});
