import type { Bench } from '../harness/bench.ts';
import { agentDraft, comment, currentTasks, taskDescription, taskFields, taskTitle } from './read-constants.ts';
import { clearTables } from '../harness/backlog.ts';
import { postJson } from '../harness/post-json.ts';
import { say } from '../harness/report.ts';
import { againstLimit, compare } from '../harness/rounds.ts';

export type Readable = { agentIds: string[]; taskIds: string[] };

const allTasks = 200;
const allAgents = 10;

/** Compares reads through the gateway with the same HTTP stack serving a constant of the same size. */
export async function measureRead(bench: Bench, pathsOf: (readable: Readable) => string[]): Promise<void> {
  const { apps } = bench;
  const [limit, gateway] = await apps.startAll(['limit-server', 'api-gateway']);
  if (!limit || !gateway) throw new Error('the apps did not start');
  const paths = pathsOf(await makeReadable(bench, gateway.url));
  const headers = { 'x-api-key': apps.apiKey };
  for (const { name, url } of [limit, gateway]) {
    const response = await fetch(`${url}${paths[0]}`, { headers });
    say(`  ${name}: ${response.status}, ${(await response.text()).length} characters`);
  }
  const side = (label: string, { url, pid }: typeof limit) => ({
    label,
    pid,
    load: { url, headers, body: { kind: 'none' as const, paths } },
  });
  const compared = await compare(bench, { limit: side('limit', limit), real: side('real', gateway) });
  bench.record({ name: '', ...againstLimit(compared) });
  await apps.stopAll();
  await clearTables(bench);
}

/** Agents with claimed tasks that have a history, among others. */
async function makeReadable({ apps }: Bench, url: string): Promise<Readable> {
  const call = (path: string, body: unknown) => postJson(`${url}${path}`, apps.apiKey, body);
  for (let number = 0; number < allTasks; number += 1)
    await call('/v1/tasks', { title: taskTitle, description: taskDescription, ...taskFields });
  const readable: Readable = { agentIds: [], taskIds: [] };
  for (let number = 0; number < allAgents; number += 1) {
    const agentId = String((await call('/v1/agents', agentDraft))['id']);
    readable.agentIds.push(agentId);
    for (let held = 0; held < currentTasks; held += 1) {
      const { task, lease } = (await call(`/v1/agents/${agentId}/claims`, {})) as unknown as Claim;
      readable.taskIds.push(task.id);
      for (const _ of [1, 2, 3])
        await call(`/v1/leases/${lease.lease_id}/progress`, { fencing_token: lease.fencing_token, comment });
    }
  }
  return readable;
}

type Claim = { task: { id: string }; lease: { lease_id: string; fencing_token: number } };
