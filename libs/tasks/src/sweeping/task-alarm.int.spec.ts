import { newId } from '@eas/core';
import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createAgent } from '../steering/create-agent.ts';
import { drainAgent } from '../steering/pause-agent.ts';
import { isMeant, readWorkKey } from '../records/tasks/work-key.ts';
import { planTasks } from '../planning/plan-tasks.ts';
import { createTask } from '../moves/create-task.ts';
import { setAlarm } from '../records/tasks/task-alarm.store.ts';
import { fireTaskAlarms, nextTaskAlarmAt } from './task-alarm.sweeper.ts';

const test = useTestDatabase();
let keys: string[] = [];
beforeEach(() => {
  keys = [];
});

/** A tenant with a task for which the agent `barred` is not eligible, and `able` is. */
async function setUp() {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId, actor: { id: newId('apiKey'), isAdmin: true } });
  const agent = { name: 'a', role: 'rd', capabilities: [], max_concurrent_tasks: 1 };
  const [barred, able] = [(await createAgent(ctx, agent)).id, (await createAgent(ctx, agent)).id];
  const { id: taskId } = await createTask(ctx, newTask({ not_for: barred }));
  const notify = (channel: string, key: string) => void (channel === 'work' && keys.push(key));
  const listened = {
    ...ctx,
    inTransaction: ((work) => ctx.inTransaction((tx) => work({ ...tx, notify }))) as typeof ctx.inTransaction,
  };
  const woken = (agentId: string) => keys.some((key) => isMeant(readWorkKey(key), { tenantId, agentId, role: 'rd' }));
  const plan = () => planTasks(listened, [{ type: 'task.created', data: { task_id: taskId } } as never]);
  return { ctx, listened, barred, able, taskId, notify, woken, plan };
}

describe('the agent that is woken for a task for which one of its role is not eligible', () => {
  it('is the other one, when the time of the task has come', async () => {
    const { ctx, barred, able, taskId, notify, woken } = await setUp();
    await setAlarm(ctx, taskId, new Date(0));
    await fireTaskAlarms({ db: ctx.db, notify });
    expect([barred, able].map(woken)).toEqual([false, true]);
  });

  it('is woken at the time of the next alarm, and then there is none', async () => {
    const { ctx, taskId, notify } = await setUp();
    const at = new Date('2020-01-01T00:00:00.000Z');
    await setAlarm(ctx, taskId, at);
    expect(await nextTaskAlarmAt(ctx.db)).toEqual(at);
    await fireTaskAlarms({ db: ctx.db, notify });
    expect(await nextTaskAlarmAt(ctx.db)).toBeNull();
  });

  it('is the other one, when it was planned', async () => {
    const { barred, able, woken, plan } = await setUp();
    await plan();
    expect([barred, able].map(woken)).toEqual([false, true]);
  });

  it('is the other one, when its plan was withdrawn', async () => {
    const { listened, barred, able, woken, plan } = await setUp();
    await plan();
    keys = [];
    await drainAgent(listened, able);
    expect([barred, able].map(woken)).toEqual([false, true]);
  });
});
