import { contextInTransaction, takePendingEvents } from '@eas/db';
import { completeTask, createAgent, failTask } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { definitionOf, openScene, type Scene } from '../../test/scene.ts';
import { advanceOnEvents } from './advance-on-events.ts';

const test = useTestDatabase();
const runCount = 40;
const steps = [
  { id: 'a' },
  { id: 'b', needs: ['a'] },
  { id: 'c', needs: ['a'] },
  { id: 'd', needs: ['a'], condition: { path: 'parameters.isWanted', op: 'exists' } },
  { id: 'e', needs: ['b', 'c', 'd'] },
].map((step) => ({ ...step, retry: { max_attempts: 10 }, task: { title: step.id, description: 'd' } }));

const oneIn = (count: number) => Math.random() * count < 1;
const pause = () => new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));

/** Claims and completes tasks until it is stopped; one in ten fails. */
async function work({ ctx, claimNext }: Scene, agentId: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const claim = await claimNext(agentId);
    if (!claim) await pause();
    if (!claim) continue;
    const { lease_id: leaseId, fencing_token: token } = claim.body.lease;
    const call = { leaseId };
    if (oneIn(10)) await failTask(ctx, { ...call, body: { fencing_token: token, reason: 'r', retryable: false } });
    else await completeTask(ctx, { ...call, body: { fencing_token: token } });
  }
}

const died = new Error('died');

/** Processes jobs in any order until it is stopped; one in five is aborted. */
async function orchestrate({ system, readPending }: Scene, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const ids = (await readPending()).filter(() => oneIn(2)).map(({ eventId }) => eventId);
    const job = system.inTransaction(async (tx) => {
      const events = await takePendingEvents(tx, 'run.advance', ids);
      await advanceOnEvents(contextInTransaction(system, tx), events);
      if (oneIn(5)) throw died;
    });
    await job.catch((error: unknown) => {
      if (error !== died) throw error;
    });
    await pause();
  }
}

const endsSql = `
  SELECT r.id, r.status, r.timeline_seq AS seq,
    (SELECT count(*) FROM run_timeline e WHERE e.tenant_id = r.tenant_id AND e.run_id = r.id) AS entries,
    (SELECT string_agg(s.key || ' ' || s.status, ', ' ORDER BY s.key) FROM run_steps s
     WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id) AS steps,
    (SELECT string_agg(s.key || ' ' || s.attempt, ', ' ORDER BY s.key) FROM run_steps s
     WHERE s.tenant_id = r.tenant_id AND s.run_id = r.id AND s.attempt > 0) AS attempts,
    (SELECT string_agg(title || ' ' || n, ', ' ORDER BY title) FROM (
       SELECT title, count(*) AS n FROM tasks t WHERE t.tenant_id = r.tenant_id AND t.workflow_run_id = r.id GROUP BY 1
     ) AS by_step) AS tasks,
    (SELECT string_agg(data ->> 'step_name', ', ' ORDER BY data ->> 'step_name') FROM events e
     WHERE e.tenant_id = r.tenant_id AND e.event_type = 'workflow.step_completed'
       AND e.data ->> 'workflow_run_id' = r.id) AS published
  FROM workflow_runs r WHERE r.tenant_id = $1`;

describe('many runs at once, with several agents and orchestrators of which some die', () => {
  it('are all completed, each step once, each attempt by one task', async () => {
    const scene = await openScene(test, definitionOf(steps));
    const { ctx } = scene;
    await Promise.all(Array.from({ length: runCount }, () => scene.start()));
    let isOver = false;
    const agents = [scene.agent.id];
    for (const name of ['Bob', 'Eve'])
      agents.push((await createAgent(ctx, { name, role: 'rd', capabilities: [], max_concurrent_tasks: 2 })).id);
    const busy = [
      ...agents.map((id) => work(scene, id, () => isOver)),
      ...agents.map(() => orchestrate(scene, () => isOver)),
    ];
    const openSql = `SELECT FROM workflow_runs WHERE tenant_id = $1 AND status = 'started'`;
    while ((await ctx.db.query(openSql, [ctx.tenantId])).length > 0) await Promise.race([pause(), ...busy]);
    isOver = true;
    await Promise.all(busy);
    const ends = await ctx.db.query<Record<string, unknown>>(endsSql, [ctx.tenantId]);
    expect(ends).toHaveLength(runCount);
    for (const { id: _, seq, attempts, ...end } of ends)
      expect(end).toEqual({
        status: 'completed',
        published: 'a, b, c, e',
        entries: seq,
        tasks: attempts,
        steps: 'a completed, b completed, c completed, d skipped, e completed',
      });
  });
});
