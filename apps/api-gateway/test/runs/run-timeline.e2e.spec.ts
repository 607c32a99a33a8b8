import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';
import { inOrder } from '../in-order.ts';
import { runScene, step } from './run-scene.ts';

const gateway = useGateway();

/** A run with an entry of most kinds, over. */
async function eventfulRun() {
  const scene = await runScene(gateway);
  const { role, define, start, steer, work, fail, decide } = scene;
  const never = { path: 'parameters.ticket_id', op: 'exists' };
  const run = await start(
    await define([
      step('plan', role, { approval: { person: true } }),
      step('build', role, { needs: ['plan'], retry: { max_attempts: 2 } }),
      step('extra', role, { needs: ['build'], condition: never }),
      step('ship', role, { needs: ['extra'] }),
    ]),
  );
  await steer(run, 'pause');
  await steer(run, 'resume');
  await work();
  await decide(run, 'plan', 'reject', { comment: 'Too short.' });
  await work();
  await decide(run, 'plan', 'approve', { comment: 'Good.' });
  await fail();
  await work();
  await fail();
  await steer(run, 'retry');
  await steer(run, 'cancel');
  return { ...scene, run, path: `/v1/runs/${run.workflow_run_id}/timeline` };
}

describe('GET /v1/runs/{run_id}/timeline', () => {
  it('shows what happened to a run, numbered without a gap, with who did it', async () => {
    const { path, run, agentId } = await eventfulRun();
    const { body } = await gateway.get(`${path}?sort=seq&limit=100`);
    const person = expect.stringMatching(/^key_/);
    expect(body.data.map(({ type, key, actor }: Json) => [type, key ?? actor])).toEqual([
      ['started', person],
      ['step_started', 'plan'],
      ['paused', person],
      ['resumed', person],
      ['step_awaiting_approval', 'plan'],
      ['step_rejected', 'plan'],
      ['step_awaiting_approval', 'plan'],
      ['step_approved', 'plan'],
      ['step_completed', 'plan'],
      ['step_started', 'build'],
      ['step_failed', 'build'],
      ['step_started', 'build'],
      ['step_completed', 'build'],
      ['step_skipped', 'extra'],
      ['step_started', 'ship'],
      ['step_failed', 'ship'],
      ['failed', 'ship'],
      ['retried', person],
      ['step_started', 'ship'],
      ['step_cancelled', 'ship'],
      ['cancelled', person],
    ]);
    expect(body.data.map(({ seq }: Json) => seq)).toEqual(body.data.map((_: Json, index: number) => index + 1));
    const of = (type: string) => body.data.filter((entry: Json) => entry.type === type);
    const stepId = run.current_step.id;
    expect(of('step_rejected')).toMatchObject([{ comment: 'Too short.', actor: person, step_id: stepId }]);
    expect(of('step_approved')).toMatchObject([{ comment: 'Good.', actor: person, step_id: stepId }]);
    expect(of('step_completed')).toMatchObject([{ completed_by: agentId }, { completed_by: agentId, actor: agentId }]);
    expect(of('step_started').map(({ attempt }: Json) => attempt)).toEqual([1, 1, 2, 1, 1]);
    expect(of('step_started')[0]).toMatchObject({ assignee: agentId, task_id: expect.stringMatching(/^tsk_/) });
    expect(of('step_failed')).toMatchObject([{ reason: 'No compiler.', attempt: 1 }, { reason: 'No compiler.' }]);
    const { history } = (await gateway.get(`/v1/runs/${run.workflow_run_id}`)).body;
    expect(history).toEqual(body.data);
  });

  it('filters and sorts by every scalar field of any entry, those without it last', async () => {
    const { path } = await eventfulRun();
    // Ids are unique in a run alone: another one has the same.
    await eventfulRun();
    const list = async (query: Record<string, string>) =>
      (await gateway.get(`${path}?${new URLSearchParams({ limit: '100', ...query })}`)).body.data as Json[];
    const all = await list({ sort: 'seq' });
    expect((await list({})).map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toReversed());
    for (const field of new Set(all.flatMap((entry) => Object.keys(entry)))) {
      const [having, lacking] = [all.filter((entry) => field in entry), all.filter((entry) => !(field in entry))];
      const value = having[0][field];
      const equal = all.filter((entry) => entry[field] === value);
      expect([field, await list({ sort: 'seq', [field]: String(value) })]).toEqual([field, equal]);
      const up = having.toSorted((a, b) => inOrder(a[field], b[field]));
      expect([field, await list({ sort: field })]).toEqual([field, [...up, ...lacking]]);
      const behind = await list({ sort: field, after: up[0].id });
      expect([field, behind]).toEqual([field, [...up, ...lacking].slice(1)]);
    }
    expect(await list({ type: 'unknown' })).toEqual([]);
    const bad = { field: 'seq', constraint: 'type' };
    expectError(await gateway.get(`${path}?seq=x`), 400, 'invalid_request', bad);
    expectError(await gateway.get(`${path}?after=9999999999`), 400, 'invalid_request', {
      field: 'after',
      constraint: 'format',
    });
  });
});

describe('events of a run', () => {
  it('notify subscribers of its start, each completed step and its end', async () => {
    const { run } = await eventfulRun();
    const rows = await gateway.test.database.db.query<{ type: string; data: Json }>(
      `SELECT event_type AS type, data FROM events
       WHERE event_type LIKE 'workflow.%' AND data ->> 'workflow_run_id' = $1 ORDER BY event_id`,
      [run.workflow_run_id],
    );
    expect(rows.map(({ type, data }) => [type, data.step_name])).toEqual([
      ['workflow.started', undefined],
      ['workflow.step_completed', 'Step plan'],
      ['workflow.step_completed', 'Step build'],
      ['workflow.failed', 'Step ship'],
      ['workflow.cancelled', undefined],
    ]);
    const { name, workflow_id: workflowId } = run;
    for (const { data } of rows) expect(data).toMatchObject({ name, workflow_id: workflowId });
  });
});
