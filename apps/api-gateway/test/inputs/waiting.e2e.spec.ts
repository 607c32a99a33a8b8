import { sweepStalledTasks } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { useGateway } from '../gateway.ts';
import { agentScene, eventsOf, passTime } from './agent-scene.ts';

const gateway = useGateway();
const moment = expect.stringMatching(/Z$/);

describe('a waiting task shows', () => {
  it('that no agent of its role is there, or which one is meant to claim it', async () => {
    const { id, addTask, readTask } = await agentScene(gateway);
    const task = await addTask();
    const anyAgent = { kind: 'agent', id: null, since: task.created_at, deadline: null };
    expect((await readTask(task.id)).waiting_on).toEqual(anyAgent);
    const pinned = await addTask({ assigned_agent: id });
    expect((await readTask(pinned.id)).waiting_on).toMatchObject({ kind: 'agent', id });
  });

  it('until when its agent holds it, and nothing once it is final', async () => {
    const { id, hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    const waiting = { kind: 'agent', id, since: moment, deadline: lease.expires_at };
    expect((await readTask(task.id)).waiting_on).toEqual(waiting);
    await call(lease, 'complete');
    expect((await readTask(task.id)).waiting_on).toBeNull();
  });

  it('when it may be claimed again after a failure', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    await call(lease, 'fail', { reason: 'The network is down.', retry_after_seconds: 60 });
    const { waiting_on: waiting, status } = await readTask(task.id);
    expect([status, waiting]).toEqual(['open', { kind: 'timer', id: null, since: moment, deadline: moment }]);
    expect(Date.parse(waiting.deadline) - Date.parse(waiting.since)).toBeCloseTo(60_000, -4);
  });
});

describe('a task whose agent sends only heartbeats for half an hour', () => {
  it('is stalled until the next activity, and that is reported once', async () => {
    const { hold, call, readTask } = await agentScene(gateway);
    const { task, lease } = await hold();
    await passTime(gateway, task.id, 29);
    expect(await sweepStalledTasks(gateway.test.database)).toBe(0);
    await call(lease, 'heartbeat');
    await passTime(gateway, task.id, 2);
    expect(await sweepStalledTasks(gateway.test.database)).toBe(1);
    expect(await sweepStalledTasks(gateway.test.database)).toBe(0);
    expect(await readTask(task.id)).toMatchObject({ status: 'in_progress', stalled_at: moment });
    expect((await eventsOf(gateway, task.id)).at(-1)).toMatchObject([
      'task.updated',
      { from: 'in_progress', to: 'in_progress', changed: ['stalled'] },
    ]);
    await call(lease, 'heartbeat');
    expect((await readTask(task.id)).stalled_at).toEqual(moment);
    await call(lease, 'progress', { percent_complete: 10 });
    expect((await readTask(task.id)).stalled_at).toBeNull();
  });

  it('is not stalled by a checkpoint, and not while it waits for a person', async () => {
    const { hold, call, ask, readTask } = await agentScene(gateway, { max_concurrent_tasks: 2 });
    const [running, asking] = [await hold(), await hold()];
    await ask(asking.lease);
    for (const { task } of [running, asking]) await passTime(gateway, task.id, 31);
    await call(running.lease, 'checkpoint', { data: { step: 1 } });
    expect(await sweepStalledTasks(gateway.test.database)).toBe(0);
    expect((await readTask(asking.task.id)).stalled_at).toBeNull();
  });
});
