import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type Reply } from './open-connection.ts';
import { type BenchAgent, claim, complete, heartbeat } from './work-task.ts';

/** An agent that works long on one task, through one gateway. `lifeMs` unset: until it is killed. */
export type Holder = { url: string; agent: BenchAgent; leaseMs: number; lifeMs?: number };

/** A claim or heartbeat that was accepted, in ms of a clock that all processes share. */
export type Sign = { taskId: string; sentAt: number; receivedAt: number };

export const timeOf = ({ at }: Reply): number => performance.timeOrigin + at;

/** Claims a task, heartbeats every third of the lease and completes it at the end; calls `onSign` with each sign of life. */
export async function holdTask({ url, agent, leaseMs, lifeMs = Infinity }: Holder, onSign: (sign: Sign) => void) {
  // Agents do not come all at the same moment.
  await sleep((Math.random() * leaseMs) / 3);
  const connection = openConnection(url);
  try {
    const { claimed, reply } = await claim(connection, agent, 30);
    if (!claimed) throw new Error('the task was not there');
    const report = (response: Reply) =>
      onSign({ taskId: claimed.task.id, sentAt: timeOf(response) - response.tookMs, receivedAt: timeOf(response) });
    report(reply);
    while (performance.now() < reply.at + lifeMs) {
      await sleep(leaseMs / 3);
      report(await heartbeat(connection, agent, claimed));
    }
    await complete(connection, agent, claimed);
  } finally {
    connection.close();
  }
}
