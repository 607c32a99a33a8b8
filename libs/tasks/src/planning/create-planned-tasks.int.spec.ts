import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { runsOf, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newTask } from '../../test/new-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { createProject } from '../steering/create-project.ts';
import { createPlannedTasks } from './create-planned-tasks.ts';

const test = useTestDatabase();

const drawnTask = fc.record({
  role: fc.constantFrom('rd', 'qa', 'unstaffed', null),
  required: fc.subarray(['go', 'rust']),
  isOfProject: fc.boolean(),
});
type Drawn = typeof drawnTask extends fc.Arbitrary<infer T> ? T : never;

const rules = { vetUrl: () => ({ isAllowed: true }) as const };
const plainProject = { name: 'P', description: null, repositories: [], defaults: {}, max_rework_rounds: 3 };

/** A tenant with agents and a project. */
async function openTwin() {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: 'system' } });
  for (const [name, role, capabilities] of [
    ['a', 'rd', ['go']],
    ['b', 'rd', ['go', 'rust']],
    ['c', 'qa', []],
  ] as const)
    await createAgent(ctx, { name, role, capabilities: [...capabilities], max_concurrent_tasks: 1 });
  const { body: project } = await createProject(ctx, plainProject, rules);
  const inputs = (drawn: readonly Drawn[]) =>
    drawn.map(({ role, required, isOfProject }, index) => {
      const metadata = { required_capabilities: required };
      const { assigned_agent: _, ...input } = newTask({ title: String(index), assigned_role: role, metadata });
      return { ...input, project: isOfProject ? project.id : null };
    });
  return { ctx, inputs };
}

const shownSql = {
  tasks: `SELECT title, status, assigned_role, is_pinned, timeline_seq, project_id IS NULL AS is_loose,
      (SELECT name FROM agents a WHERE a.tenant_id = t.tenant_id AND a.id = t.assigned_agent) AS agent
    FROM tasks t WHERE tenant_id = $1 ORDER BY title`,
  timeline: `SELECT t.title, e.seq, e.kind, e.actor, e.data ->> 'reason' AS reason
    FROM task_timeline e JOIN tasks t ON t.tenant_id = e.tenant_id AND t.id = e.task_id
    WHERE e.tenant_id = $1 ORDER BY title, seq`,
  events: `SELECT data ->> 'title' AS title, event_type FROM events WHERE tenant_id = $1 AND event_type LIKE 'task.%'
    ORDER BY title, event_type`,
};

async function everythingOf({ db, tenantId }: UseCaseContext): Promise<unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(shownSql)) shown[name] = await db.query(sql, [tenantId]);
  return shown;
}

/** Creates them in one transaction. */
function inOne(ctx: UseCaseContext, inputs: Parameters<typeof createPlannedTasks>[2]) {
  return ctx.inTransaction((tx) => createPlannedTasks(contextInTransaction(ctx, tx), tx, inputs));
}

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let statements = 0;
  const count = () => void (statements += 1);
  subscribe('eas.db.statements', count);
  await work().finally(() => unsubscribe('eas.db.statements', count));
  return statements;
}

describe('planned tasks that are created together', () => {
  it('are the same, for the same agents, as when they are created one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawnTask, { minLength: 1, maxLength: 6 }), async (drawn) => {
        const [together, alone] = [await openTwin(), await openTwin()];
        const made = await inOne(together.ctx, together.inputs(drawn));
        for (const input of alone.inputs(drawn)) await inOne(alone.ctx, [input]);
        expect(made.map(({ title }) => title)).toEqual(drawn.map((_, index) => String(index)));
        expect(await everythingOf(together.ctx)).toEqual(await everythingOf(alone.ctx));
      }),
      { numRuns: runsOf(5, 40), endOnFailure: true },
    );
  });

  it('need no more statements than one of them', async () => {
    const { ctx, inputs } = await openTwin();
    const statementsFor = (count: number) => {
      const drawn = Array<Drawn>(count).fill({ role: 'rd', required: [], isOfProject: true });
      return countStatements(() => inOne(ctx, inputs(drawn)));
    };
    expect(await statementsFor(20)).toBe(await statementsFor(1));
  });
});
