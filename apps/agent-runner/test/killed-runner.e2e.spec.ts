import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@eas/testing/eventually';
import { describe, expect, it } from '@jest/globals';
import { type Json, newRole, useRunners } from './runners.ts';

const { call, get, addTask, untilTask, start, workspace } = useRunners();
const isCompleted = ({ status }: Json) => status === 'completed';

describe('a runner', () => {
  it('that is killed goes on under its lease when it starts again, and another runner in the folder leaves it alone', async () => {
    const role = newRole();
    const task = await addTask(role);
    const exec = 'if [ -e begun ]; then echo "$SAY summary again"; else touch begun; sleep 300; fi';
    const first = start(role, exec);
    await eventually(() => existsSync(join(workspace(), task.id, 'work/begun')));
    const other = start(role, exec);
    await eventually(() => other.log().includes('working as'));
    await sleep(500);
    expect(other.log()).not.toContain(task.id);
    await other.end('SIGKILL');
    await first.end('SIGKILL');
    const next = start(role, exec);
    const { activity, summary } = await untilTask(task.id, isCompleted);
    expect(summary).toBe('again');
    expect(activity.map(({ to }: Json) => to)).toEqual(['in_progress', 'completed']);
    expect(next.log()).toContain(`${task.id} resumed: Work`);
    await eventually(() => !existsSync(join(workspace(), task.id, 'lease.json')));
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'that ends by %s while a person is asked goes on with the answer when it starts again',
    async (signal) => {
      const role = newRole();
      const task = await addTask(role);
      const exec = `if grep -q '"answer": "blue"' "$TASK_DIR/task.json"; then echo "$SAY summary painted"
       else echo "$SAY"' ask {"kind":"choice","prompt":"Colour?","options":["red","blue"]}'; sleep 300; fi`;
      const first = start(role, exec, ['--drain', '0']);
      await untilTask(task.id, ({ status }) => status === 'blocked');
      await first.end(signal);
      const next = start(role, exec);
      await eventually(() => next.log().includes(`${task.id} waiting for a person`));
      const { data } = await get(`/v1/inputs?task_id=${task.id}`);
      await call('POST', `/v1/inputs/${data[0].id}/answer`, { answer: 'blue' });
      const { activity } = await untilTask(task.id, isCompleted);
      expect(activity.map(({ to }: Json) => to)).toEqual(['in_progress', 'blocked', 'in_progress', 'completed']);
      expect((await get(`/v1/inputs?task_id=${task.id}`)).data).toHaveLength(1);
    },
  );
});
