import { setTimeout as sleep } from 'node:timers/promises';
import { receivedBy, startSink } from '../deliveries/start-sink.ts';
import { makeAgents } from '../harness/make-agents.ts';
import { openConnection } from '../harness/open-connection.ts';
import { postJson } from '../harness/post-json.ts';
import { benchTask, claim, complete, expectStatus, heartbeat } from '../harness/work-task.ts';
import type { Api } from './walk-reads.ts';

const role = 'size';
const cycles = 40;

/** Tasks from their creation to the webhook that says that they are completed, and one that waits for an answer. */
export async function workCycles({ url, apiKey }: Api): Promise<void> {
  const [agent] = await makeAgents(url, apiKey, role, 1);
  if (!agent) throw new Error('there is no agent');
  const sink = await startSink();
  const connection = openConnection(url);
  const send = async (method: string, path: string, key: string, body: unknown) => {
    const reply = await connection.send(method, path, key, body);
    expectStatus(reply, 200, 201, 202);
    return reply.body;
  };
  try {
    await postJson(`${url}/v1/webhooks`, apiKey, {
      url: sink.url,
      events: ['task.completed'],
      secret: 'a secret of the bench',
    });
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const task = await postJson(`${url}/v1/tasks`, apiKey, benchTask(role));
      const { claimed } = await claim(connection, agent, 20);
      if (!claimed) throw new Error('no task within 20 s');
      const { lease_id: leaseId, fencing_token } = claimed.lease;
      await heartbeat(connection, agent, claimed);
      await send('POST', `/v1/leases/${leaseId}/progress`, agent.key, { fencing_token, comment: 'half done' });
      if (cycle % 4 === 0) {
        const ask = { fencing_token, kind: 'question', prompt: 'Which one?', blocking: true };
        const { input } = (await send('POST', `/v1/leases/${leaseId}/inputs`, agent.key, ask)) as {
          input: { id: string };
        };
        await send('POST', `/v1/inputs/${input.id}/answer`, apiKey, { answer: 'the first' });
      }
      await send('PATCH', `/v1/tasks/${String(task['id'])}`, apiKey, { priority: 'low' });
      await complete(connection, agent, claimed);
    }
    await receivedBy(sink, cycles);
    // Sweeps that come each minute.
    await sleep(70_000);
  } finally {
    connection.close();
    sink.stop();
  }
}
