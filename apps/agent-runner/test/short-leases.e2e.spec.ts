import { eventually } from '@eas/testing/eventually';
import { describe, expect, it } from '@jest/globals';
import { isAlive, type Json, newRole, readInto, useRunners } from './runners.ts';

/** Short, and yet longer than a busy machine lets a process wait. */
const leaseSeconds = 10;
const { get, addTask, untilTask, start } = useRunners({ leaseSeconds });
const isCompleted = ({ status }: Json) => status === 'completed';

describe('a runner whose leases are short', () => {
  it('keeps a lease through many of its lengths', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(role, `sleep ${leaseSeconds * 3}`);
    const { activity } = await untilTask(task.id, isCompleted);
    expect(activity.map(({ to }: Json) => to)).toEqual(['in_progress', 'completed']);
  });

  it('that is killed leaves no command behind, and another runner finishes its task', async () => {
    const role = newRole();
    const task = await addTask(role);
    const exec = `${readInto('task')}; case "$task" in *'"attempt":1,'*) echo "$SAY"' checkpoint {"at":1}'; echo "$SAY comment $$"; sleep 300;;
      *'"checkpoint":{"at":1}'*) echo "$SAY summary second";; *) exit 1;; esac`;
    const first = start(role, exec, ['--name', 'first']);
    const { activity } = await untilTask(task.id, ({ activity: seen }) => seen.length === 2);
    const pid = Number(activity[1].content);
    start(role, exec, ['--name', 'second']);
    await first.end('SIGKILL');
    await eventually(() => !isAlive(pid));
    const done = await untilTask(task.id, isCompleted);
    expect((await get(`/v1/agents/${done.assigned_agent}`)).name).toBe('second');
  });
});
