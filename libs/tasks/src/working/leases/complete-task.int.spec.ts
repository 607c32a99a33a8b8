import type { NewArtifact } from '@eas/contracts';
import { type AppError, newId } from '@eas/core';
import { needsOwnTransaction, type UseCaseContext } from '@eas/db';
import { runsOf, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newTask } from '../../../test/new-task.ts';
import { findBreaches } from '../../../test/invariants.ts';
import { createAgent } from '../../steering/create-agent.ts';
import { claimTask } from '../claims/claim-task.ts';
import { sendMessage } from '../../steering/send-message.ts';
import { askInput } from './ask-input.ts';
import { createTask } from '../../moves/create-task.ts';
import { completeTask } from './complete-task.ts';

const test = useTestDatabase();

/** A held task and the call that completes it: most need nothing else, some need more or are refused. */
const held = fc.record({
  role: fc.constantFrom('rd', 'qa', null),
  contract: fc.option(fc.constantFrom({ review: { role: 'qa' } }, { artifacts: ['link'] }, {}), { freq: 3 }),
  asks: fc.constantFrom('nothing', 'nothing', 'aside', 'blocking'),
  isMessaged: fc.boolean(),
  isExpired: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
  isOfStranger: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  tokenOff: fc.constantFrom(0, 0, 0, 0, 1),
  calls: fc.constantFrom(1, 1, 1, 2),
  said: fc.record(
    {
      summary: fc.string({ maxLength: 5 }),
      result: fc.constantFrom({}, { a: [1] }),
      scores: fc.record({ code_quality: fc.nat(100) }, { requiredKeys: [] }),
      artifacts: fc.constantFrom<NewArtifact[]>([], [{ kind: 'link' }]),
    },
    { requiredKeys: [] },
  ),
});
type Held = typeof held extends fc.Arbitrary<infer T> ? T : never;

type Call = () => Promise<unknown>;

/** In a transaction of its own. */
const completeAlone: typeof completeTask = (ctx, call) =>
  completeTask({ ...ctx, inSharedTransaction: () => Promise.reject(needsOwnTransaction.error) }, call);

/** A tenant in which two agents hold the tasks, and the calls that complete them. */
async function openStage(tasks: readonly Held[], complete: typeof completeTask): Promise<[UseCaseContext, Call[]]> {
  const ctx = test.context({ tenantId: await test.createTenant(), actor: { id: newId('apiKey'), isAdmin: true } });
  const hired = { name: 'A', capabilities: [], max_concurrent_tasks: 100 };
  const agents = [await createAgent(ctx, { ...hired, role: 'rd' }), await createAgent(ctx, { ...hired, role: 'qa' })];
  const calls: Call[] = [];
  for (const [index, task] of tasks.entries()) {
    const agentId = agents[task.role === 'qa' ? 1 : 0]!.id;
    calls.push(...(await hold(ctx, { task, agentId, title: String(index), complete })));
  }
  return [ctx, calls];
}

async function hold(
  ctx: UseCaseContext,
  { task, agentId, title, complete }: { task: Held; agentId: string; title: string; complete: typeof completeTask },
): Promise<Call[]> {
  const contract = task.contract === null ? {} : { contract: task.contract as object };
  const { id } = await createTask(ctx, newTask({ title, assigned_role: task.role, ...contract }));
  const { claim } = await claimTask(ctx, { agentId });
  const { lease_id: leaseId, fencing_token: token } = claim!.body.lease;
  if (task.isMessaged) await sendMessage(ctx, { taskId: id, body: { content: 'm' } });
  const question = { kind: 'question' as const, prompt: 'p', options: [], expires_in_seconds: 60 };
  if (task.asks !== 'nothing') {
    const body = { fencing_token: token, ...question, blocking: task.asks === 'blocking' };
    await askInput(ctx, { leaseId, body });
  }
  const expire =
    "UPDATE leases SET expires_at = app_now() - interval '1 s' WHERE id = $2 AND tenant_id = $1 AND parked_at IS NULL";
  if (task.isExpired) await ctx.db.query(expire, [ctx.tenantId, leaseId]);
  const caller = task.isOfStranger ? { ...ctx, actor: { id: 'x', agentId: 'x' } } : ctx;
  const body = { fencing_token: token + task.tokenOff, ...task.said };
  return Array.from({ length: task.calls }, () => () => complete(caller, { leaseId, body }));
}

/** The result of a call, without ids. */
function outcomeOf(result: PromiseSettledResult<unknown>): unknown {
  if (result.status === 'fulfilled') return result.value;
  const { code, violations, message } = result.reason as AppError;
  return { code, violations, message: message.replaceAll(/[a-z]{3}_\w{26}/g, 'id') };
}

/** All that completing writes, without ids and times; agents and tasks by their names. */
const shownSql = {
  tasks: `SELECT regexp_replace(title, '^Review: ', 'r') AS title, status, version, timeline_seq, fencing_token,
      lease_id IS NULL AS is_free, completed_at IS NULL AS is_open, code_quality, requirements_clarity, result,
      stalled_at, (SELECT role FROM agents a WHERE a.tenant_id = t.tenant_id AND a.id = t.completed_by) AS by
    FROM tasks t WHERE tenant_id = $1 ORDER BY title`,
  leases: `SELECT t.title, ended_at IS NULL AS is_live, end_reason
    FROM leases l JOIN tasks t ON t.tenant_id = l.tenant_id AND t.id = l.task_id WHERE l.tenant_id = $1 ORDER BY title`,
  agents: `SELECT role, active_leases, tasks_completed, quality_total, quality_count, idle_since IS NULL AS is_new
    FROM agents WHERE tenant_id = $1 ORDER BY role`,
  timeline: `SELECT t.title, e.seq, e.kind, e.data - 'artifact_id' - 'input_id' - 'lease_id' AS data
    FROM task_timeline e JOIN tasks t ON t.tenant_id = e.tenant_id AND t.id = e.task_id
    WHERE e.tenant_id = $1 ORDER BY title, seq`,
  inputs: `SELECT t.title, i.status FROM inputs i JOIN tasks t ON t.tenant_id = i.tenant_id AND t.id = i.task_id
    WHERE i.tenant_id = $1 ORDER BY title`,
  events: `SELECT data ->> 'title' AS title, event_type, facts ->> 'status' AS status, facts ->> 'code_quality' AS score,
      (SELECT count(*) FROM outbox o WHERE o.tenant_id = e.tenant_id AND e.event_id = ANY (coalesce(o.event_ids, ARRAY[o.event_id]))) AS pending,
      (SELECT array_agg(key ORDER BY key) FROM json_object_keys(data) AS key) AS keys
    FROM events e WHERE tenant_id = $1 AND event_type LIKE 'task.%' ORDER BY title, event_type, status, score`,
  durations: `SELECT role, count(*) FROM task_durations WHERE tenant_id = $1 GROUP BY role ORDER BY role`,
};

async function everythingOf({ db, tenantId }: UseCaseContext): Promise<unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(shownSql)) shown[name] = await db.query(sql, [tenantId]);
  return shown;
}

describe('completions that share a transaction', () => {
  it('have the same results and rows as each in a transaction of its own, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(held, { minLength: 1, maxLength: 8 }), async (tasks) => {
        const [together, callsTogether] = await openStage(tasks, completeTask);
        const [alone, callsAlone] = await openStage(tasks, completeAlone);
        const outcomes = (await Promise.allSettled(callsTogether.map((call) => call()))).map(outcomeOf);
        const expected: unknown[] = [];
        for (const call of callsAlone) expected.push(...(await Promise.allSettled([call()])).map(outcomeOf));
        expect(outcomes).toEqual(expected);
        expect(await everythingOf(together)).toEqual(await everythingOf(alone));
        expect(await findBreaches(together)).toEqual([]);
        expect(await findBreaches(alone)).toEqual([]);
      }),
      { numRuns: runsOf(6, 50), endOnFailure: true },
    );
  });
});
