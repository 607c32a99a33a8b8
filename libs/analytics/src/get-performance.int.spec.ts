import { beforeAll, describe, expect, it } from '@jest/globals';
import { performanceMetrics, type StoredEvent, type TaskFacts } from '@eas/contracts';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { getPerformance } from './get-performance.ts';
import { startOfPeriod } from './period.ts';
import { recordFacts } from './facts/record-facts.ts';

const database = useTestDatabase();
let ctx: UseCaseContext;
let monthStart: number;
const hourMs = 3_600_000;

function created(taskId: string, facts: Partial<TaskFacts>): StoredEvent {
  const at = new Date(monthStart).toISOString();
  return {
    eventId: `evt_${taskId}`,
    type: 'task.updated',
    occurredAt: new Date(),
    dataText: '{}',
    data: { task_id: taskId, title: 't', from: 'created', to: 'open', changed: [] },
    facts: {
      version: 1,
      role: 'rd',
      status: 'open',
      created_at: at,
      due_date: null,
      first_claimed_at: null,
      completed_at: null,
      code_quality: null,
      requirements_clarity: null,
      ...facts,
    },
  };
}

beforeAll(async () => {
  ctx = database.context({ tenantId: await database.createTenant() });
  await ctx.db.query(
    `INSERT INTO agents (tenant_id, id, name, role, capabilities, created_at, updated_at, deleted_at) VALUES
       ($1, 'agt_1', 'Quinn', 'qa', '{}', app_now(), app_now(), NULL),
       ($1, 'agt_2', 'Odd', 'ops', '{}', app_now(), app_now(), app_now())`,
    [ctx.tenantId],
  );
  monthStart = startOfPeriod('month', ctx.clock.now()).getTime();
  const at = (offsetMs: number) => new Date(monthStart + offsetMs).toISOString();
  const done = { status: 'completed', completed_at: at(3 * hourMs) };
  const past = '2020-01-01T00:00:00Z';
  await ctx.inTransaction((tx) =>
    recordFacts(contextInTransaction(ctx, tx), [
      created('tsk_1', { ...done, first_claimed_at: at(hourMs), code_quality: 90, due_date: past }),
      created('tsk_2', { ...done, first_claimed_at: at(2 * hourMs), code_quality: 81 }),
      created('tsk_3', { ...done, role: null }),
      created('tsk_4', { role: 'pm', status: 'in_progress', first_claimed_at: at(hourMs), due_date: past }),
      created('tsk_5', { role: null, due_date: '2200-01-01T00:00:00Z' }),
      created('tsk_6', { role: null, due_date: past }),
      // Created a millisecond before the month.
      created('tsk_7', { created_at: at(-1), due_date: past }),
    ]),
  );
});

describe('getPerformance', () => {
  it('counts the tasks created in the current month and lists every role with an agent or a task', async () => {
    const metrics = await getPerformance(ctx, { period: 'month' });
    expect(performanceMetrics.parse(metrics)).toEqual(metrics);
    expect(metrics).toMatchObject({ period: 'month', date_range: { start: expect.stringMatching(/-01T00:00:00Z$/) } });
    expect(metrics.tasks).toEqual({
      total: 6,
      completed: 3,
      in_progress: 1,
      overdue: 2,
      completion_rate: 0.5,
      avg_completion_time: '1.5h',
      avg_completion_seconds: 5_400,
    });
    const scores = { code_quality: null, requirements_clarity: null };
    const none = { tasks_completed: 0, avg_completion_time: '0h', avg_completion_seconds: null, scores };
    expect(metrics.agents).toEqual({
      qa: none,
      rd: {
        tasks_completed: 2,
        avg_completion_time: '1.5h',
        avg_completion_seconds: 5_400,
        code_quality: 86,
        scores: { code_quality: 86, requirements_clarity: null },
      },
      pm: { ...none, requirements_clarity: 0 },
    });
  });

  it('narrows everything to one role', async () => {
    const metrics = await getPerformance(ctx, { period: 'month', role: 'pm' });
    expect(metrics.tasks).toMatchObject({ total: 1, completed: 0, in_progress: 1, overdue: 1 });
    expect(Object.keys(metrics.agents)).toEqual(['pm']);
  });

  it('returns zeros for a role without agents', async () => {
    const metrics = await getPerformance(ctx, { period: 'year', role: 'unstaffed' });
    expect(metrics.tasks).toEqual({
      total: 0,
      completed: 0,
      in_progress: 0,
      overdue: 0,
      completion_rate: 0,
      avg_completion_time: '0h',
      avg_completion_seconds: null,
    });
    expect(metrics.agents).toEqual({});
  });
});
