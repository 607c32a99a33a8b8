// Agents at work that report their session, as the agent-runner does.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAgents } from '../harness/make-agents.ts';
import { openConnection } from '../harness/open-connection.ts';
import { postJson } from '../harness/post-json.ts';
import { type BenchAgent, benchTask, claim, expectStatus } from '../harness/work-task.ts';

export const [talkerCount, talksPerSecond] = [50, 20] as const;
/** As the agent-runner sends entries: while no person follows the session, and while one does. */
export const unfollowedMs = 2_000;
const followedMs = 150;
const role = 'sessions';

/** All of them, each with a task. */
export async function openSessions(url: string, apiKey: string) {
  const agents = await makeAgents(url, apiKey, role, talkerCount);
  return Promise.all(agents.map((agent) => openSession(url, apiKey, agent)));
}

/** An agent with a task, and a session that it talks in, each time until a signal aborts. */
async function openSession(url: string, apiKey: string, agent: BenchAgent) {
  await postJson(`${url}/v1/tasks`, apiKey, benchTask(role));
  const connection = openConnection(url);
  const { claimed } = await claim(connection, agent, 30);
  if (!claimed) throw new Error('the task was not there');
  const { lease, task } = claimed;
  let first = 1;

  async function talk(ending: AbortSignal): Promise<void> {
    let [saidAt, pauseMs] = [Date.now(), Math.random() * unfollowedMs];
    while (!ending.aborted) {
      await sleep(pauseMs, undefined, { signal: ending }).catch(() => {});
      const entries: object[] = [];
      for (; saidAt < Date.now(); saidAt += 1_000 / talksPerSecond)
        entries.push(entryOf(first + entries.length, saidAt));
      if (entries.length === 0) continue;
      const body = { fencing_token: lease.fencing_token, first, entries };
      const reply = await connection.send('POST', `/v1/leases/${lease.lease_id}/session/entries`, agent.key, body);
      expectStatus(reply, 200);
      first = reply.body['next'] as number;
      pauseMs = reply.body['is_followed'] === true ? followedMs : unfollowedMs;
    }
  }
  return { taskId: task.id, talk, close: () => connection.close() };
}

/** Like an agent: words, and every fifth time a tool with what it printed. */
const entryOf = (number: number, ms: number): object =>
  number % 5 === 0
    ? { kind: 'tool', id: `call ${number}`, type: 'execute', title: 'npm test', status: 'completed', output }
    : { kind: 'notice', text: `said at ${Math.round(ms)}` };
const output = 'ok\n'.repeat(60);
