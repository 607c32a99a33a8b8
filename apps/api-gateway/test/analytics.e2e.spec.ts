import { recordFacts } from '@eas/analytics';
import { typesFor } from '@eas/contracts';
import { contextInTransaction, readEventsAfter, takePendingEvents } from '@eas/db';
import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from './gateway.ts';
import { numberEvents } from './relay.ts';

const gateway = useGateway();

/** Records pending facts, as the relay and the worker of analytics do. */
async function catchUp(): Promise<void> {
  await numberEvents(gateway.test);
  const ctx = gateway.test.context();
  await ctx.inTransaction(async (tx) => {
    const { events } = await readEventsAfter(tx, 0, typesFor('facts.follow'));
    await recordFacts(contextInTransaction(ctx, tx), events);
    const pending = await tx.db.query<{ id: string }>(
      `SELECT event_id AS id FROM outbox WHERE tenant_id = $1 AND consumer = 'facts.record'`,
      [tx.tenantId],
    );
    const ids = pending.map(({ id }) => id);
    await recordFacts(contextInTransaction(ctx, tx), await takePendingEvents(tx, 'facts.record', ids));
  });
}

async function complete(role: string, scores: object): Promise<void> {
  const agent = await gateway.make('/v1/agents', { name: role, role });
  await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: role });
  await workOn(agent, scores);
}

/** The agent claims a task and completes it. */
async function workOn(agent: Json, scores: object): Promise<void> {
  const { lease } = (await gateway.post(`/v1/agents/${agent.id}/claims`, {})).body;
  const body = { fencing_token: lease.fencing_token, scores };
  expect((await gateway.post(`/v1/leases/${lease.lease_id}/complete`, body)).status).toBe(200);
}

const performance = async (query = ''): Promise<Json> => (await gateway.get(`/v1/analytics/performance${query}`)).body;
const nothing = {
  total: 0,
  completed: 0,
  in_progress: 0,
  overdue: 0,
  completion_rate: 0,
  avg_completion_time: '0h',
  avg_completion_seconds: null,
};
const noScores = { code_quality: null, requirements_clarity: null };

describe('GET /v1/analytics/performance', () => {
  it('returns zeros for the current month when there is nothing', async () => {
    const before = new Date();
    const body = await performance();
    expect(body).toEqual({ period: 'month', date_range: expect.anything(), tasks: nothing, agents: {} });
    const firstOfMonth = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1));
    expect(Date.parse(body.date_range.start)).toBe(firstOfMonth.getTime());
    expect(Date.parse(body.date_range.end)).toBeGreaterThan(before.getTime() - 1_000);
    expect(Date.parse(body.date_range.end)).toBeLessThan(Date.now() + 1_000);
  });

  it('shows tasks and, by role, what the interface names', async () => {
    await complete('rd', { code_quality: 80 });
    await complete('pm', { requirements_clarity: 70 });
    await complete('qa', {});
    await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'rd', due_date: '2020-01-01' });
    await catchUp();
    const seconds = expect.any(Number);
    const done = { tasks_completed: 1, avg_completion_time: '0h', avg_completion_seconds: seconds, scores: noScores };
    for (const period of ['day', 'week', 'month', 'quarter', 'year'])
      expect(await performance(`?period=${period}`)).toEqual({
        period,
        date_range: expect.anything(),
        tasks: {
          ...nothing,
          total: 4,
          completed: 3,
          overdue: 1,
          completion_rate: 0.75,
          avg_completion_seconds: seconds,
        },
        agents: {
          rd: { ...done, code_quality: 80, scores: { ...noScores, code_quality: 80 } },
          pm: { ...done, requirements_clarity: 70, scores: { ...noScores, requirements_clarity: 70 } },
          qa: done,
        },
      });
  });

  it('narrows everything to a role', async () => {
    const body = await performance('?role=rd');
    expect(body.tasks).toMatchObject({ total: 2, completed: 1, overdue: 1, completion_rate: 0.5 });
    expect(Object.keys(body.agents)).toEqual(['rd']);
    const none = await performance('?role=unknown');
    expect([none.tasks, none.agents]).toEqual([nothing, {}]);
  });

  it('shows nothing of another tenant', async () => {
    const key = await gateway.makeKey(['analytics:read'], { tenantId: await gateway.test.createTenant() });
    const { body } = await gateway.get('/v1/analytics/performance', { key });
    expect([body.tasks, body.agents]).toEqual([nothing, {}]);
  });

  it.each([
    ['?period=decade', 'period', 'enum'],
    ['?period=', 'period', 'enum'],
    ['?role=9lives', 'role', 'pattern'],
    ['?limit=1', 'limit', 'unknown_field'],
  ])('refuses %s', async (query, field, constraint) => {
    const response = await gateway.get(`/v1/analytics/performance${query}`);
    expectError(response, 400, 'invalid_request', { field, constraint });
  });
});

describe('GET /v1/analytics/series', () => {
  const series = async (query: string) => (await gateway.get(`/v1/analytics/series${query}`)).body.points;
  /** Over all points: an hour or a day may end in between. */
  const sumsOf = (points: Json[]) => {
    const sum = (field: string) => points.reduce((total, point) => total + point[field], 0);
    return { created: sum('created'), completed: sum('completed'), late: sum('late'), failed: sum('failed') };
  };
  /** Those that are known, of the last point first. */
  const secondsOf = (points: Json[]) =>
    points.map((point) => point.avg_completion_seconds).filter((one) => one !== null);

  it('shows by hour and day what happened, of all roles or of one', async () => {
    const before = sumsOf(await series('?interval=hour'));
    await complete('ops', {});
    await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'sre' });
    await catchUp();
    const hours = await series('?interval=hour');
    expect(hours).toHaveLength(30);
    expect(sumsOf(hours)).toEqual({ ...before, created: before.created + 2, completed: before.completed + 1 });
    const ops = await series('?role=ops');
    expect(sumsOf(ops)).toEqual({ created: 1, completed: 1, late: 0, failed: 0 });
    const [took] = await gateway.test.database.db.query<{ seconds: number }>(
      `SELECT round(extract(epoch FROM completed_at - first_claimed_at))::int AS seconds FROM tasks WHERE assigned_role = 'ops'`,
    );
    expect(secondsOf(ops)).toEqual([took?.seconds]);
    const sre = await series('?role=sre');
    expect([sumsOf(sre), secondsOf(sre)]).toEqual([{ created: 1, completed: 0, late: 0, failed: 0 }, []]);
    expect(await series('?from=2026-01-01T10:00:00Z&to=2026-01-02T09:00:00Z')).toMatchObject([
      { at: '2026-01-01T00:00:00Z', created: 0 },
      { at: '2026-01-02T00:00:00Z', created: 0 },
    ]);
  });

  it('refuses a range of more than 400 intervals', async () => {
    const response = await gateway.get('/v1/analytics/series?interval=hour&from=2026-01-01&to=2026-02-01');
    expectError(response, 400, 'invalid_request', { field: 'from', constraint: 'max' });
  });

  it('is exported as a table with the same intervals, and with the same limits', async () => {
    const query = '?interval=hour&from=2026-01-01T10:00:00Z&to=2026-01-01T11:00:00Z';
    const { text, headers } = await gateway.get(`/v1/analytics/series.csv${query}`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="tasks-by-hour.csv"');
    expect(text.split('\r\n')).toEqual([
      'at,created,completed,late,failed,avg_completion_seconds',
      '2026-01-01T10:00:00Z,0,0,0,0,',
      '2026-01-01T11:00:00Z,0,0,0,0,',
      '',
    ]);
    const response = await gateway.get('/v1/analytics/series.csv?interval=hour&from=2026-01-01&to=2026-02-01');
    expectError(response, 400, 'invalid_request', { field: 'from', constraint: 'max' });
  });
});

describe('GET /v1/analytics/performance.csv', () => {
  it('has the figures of all tasks in its first row, and then those of each role', async () => {
    await complete('csv', { code_quality: 64 });
    await catchUp();
    const { text, headers } = await gateway.get('/v1/analytics/performance.csv?period=day&role=csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="performance-day.csv"');
    const seconds = (await performance('?period=day&role=csv')).tasks.avg_completion_seconds;
    expect(text.split('\r\n')).toEqual([
      'role,total,completed,in_progress,overdue,completion_rate,avg_completion_seconds,code_quality,requirements_clarity',
      `,1,1,0,0,1,${seconds},64,`,
      `csv,1,1,0,,1,${seconds},64,`,
      '',
    ]);
    const empty = await gateway.get('/v1/analytics/performance.csv?role=unstaffed');
    expect(empty.text.split('\r\n').slice(1)).toEqual([',0,0,0,0,0,,,', '']);
    expectError(await gateway.get('/v1/analytics/performance.csv?period=decade'), 400, 'invalid_request', {
      field: 'period',
      constraint: 'enum',
    });
  });
});

describe('GET /v1/analytics/durations', () => {
  const durations = async (query: string): Promise<Json> => (await gateway.get(`/v1/analytics/durations${query}`)).body;
  const distribution = (count: number) => expect.objectContaining({ count, p50_seconds: 1, p99_seconds: 1 });

  it('shows how long tasks waited and took, by role and agent, and which were opened again', async () => {
    const agent = await gateway.make('/v1/agents', { name: 'slow', role: 'slow' });
    const tasks = [];
    for (let n = 0; n < 2; n += 1) {
      tasks.push(await gateway.make('/v1/tasks', { title: 't', description: 'd', assigned_role: 'slow' }));
      await workOn(agent, {});
    }
    const figures = { completed: 2, cycle_time: distribution(2), waiting_time: distribution(2) };
    const first = { ...figures, reworked: 0, rework_rounds: 0 };
    await catchUp();
    expect(await durations('?key=slow')).toMatchObject({ group_by: 'role', total: first, groups: [{ key: 'slow' }] });
    const reopened = await gateway.send('PATCH', `/v1/tasks/${tasks[0].id}`, '{"status":"open"}');
    expect(reopened.status).toBe(200);
    await catchUp();
    expect(await durations('?key=slow')).toMatchObject({ total: { completed: 1, cycle_time: distribution(1) } });
    await workOn(agent, {});
    await catchUp();
    const again = { ...figures, reworked: 1, rework_rounds: 1 };
    expect(await durations(`?group_by=agent&key=${agent.id}`)).toMatchObject({
      total: again,
      groups: [{ key: agent.id, ...again }],
    });
    const { points } = await durations('?key=slow');
    expect(points).toHaveLength(30);
    expect(points.reduce((sum: number, point: Json) => sum + point.completed, 0)).toBe(2);
  });

  it('is exported as a table with a row of the total and one of each group', async () => {
    const { text, headers } = await gateway.get('/v1/analytics/durations.csv?group_by=role&key=slow');
    expect(headers.get('content-disposition')).toBe('attachment; filename="durations-by-role.csv"');
    const [columns, total, group, ...rest] = text.split('\r\n');
    expect(columns).toMatch(
      /^key,completed,reworked,rework_rounds,cycle_time_count,cycle_time_mean_seconds,cycle_time_p50_seconds,/,
    );
    expect(total).toMatch(/^,2,1,1,2,/);
    expect([group?.replace('slow', ''), rest]).toEqual([total, ['']]);
    const none = await gateway.get('/v1/analytics/durations.csv?group_by=step&key=none');
    expect(none.text.split('\r\n').slice(1)).toEqual([',0,0,0,,,,,,,,,,,,,,', '']);
  });

  it.each([
    ['?group_by=model', 'group_by', 'enum'],
    ['?key=', 'key', 'required'],
    ['?from=2026-01-01&to=2026-06-01', 'from', 'max'],
    ['?from=2026-02-01&to=2026-01-01', 'from', 'max'],
    ['?interval=day', 'interval', 'unknown_field'],
  ])('refuses %s', async (query, field, constraint) => {
    for (const path of ['durations', 'durations.csv'])
      expectError(await gateway.get(`/v1/analytics/${path}${query}`), 400, 'invalid_request', { field, constraint });
  });
});
