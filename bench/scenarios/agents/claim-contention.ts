import { type AgentLoadResult, runAgentLoad } from '../../harness/agent-load.ts';
import { workerApps } from '../../harness/apps.ts';
import { clearTables, drainBacklog } from '../../harness/backlog.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { runLoad } from '../../harness/load.ts';
import { makeAgents } from '../../harness/make-agents.ts';
import { formatNumber, say, table } from '../../harness/report.ts';
import { benchTask } from '../../harness/work-task.ts';

const agentCount = Number(process.env['BENCH_AGENTS'] ?? 200);
const taskCount = Number(process.env['BENCH_TASKS'] ?? 10_000);
const role = 'contention';

export const scenario: Scenario = {
  name: 'claim-contention',
  about: `${agentCount} agents on ${formatNumber(taskCount)} tasks: as fast as they can, then at half of that rate`,
  async run(bench) {
    const { apps } = bench;
    const [gateway] = await apps.startAll(['api-gateway', 'webhook-receiver', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    const agents = await makeAgents(gateway.url, apps.apiKey, role, agentCount);
    const work = async (perSecond?: number) => {
      const made = await makeTasks(bench, gateway.url);
      await drainBacklog(bench, 300);
      const paced = perSecond === undefined ? {} : { perSecond };
      const given = { url: gateway.url, apiKey: apps.apiKey, role, agents };
      const result = await runAgentLoad({ ...given, work: { kind: 'drain', tasks: made, ...paced } });
      return { made, result, left: await countLeft(bench) };
    };
    const full = await work();
    const ceiling = full.result.completed / full.result.seconds;
    // As a server that runs for a while has done: until then each new WAL segment is filled with zeros, 100 ms a time.
    await bench.stores.database.db.query('CHECKPOINT');
    const half = await work(ceiling / 2);
    table([
      ['', 'tasks', 'completed', 'left', 'doubles', 'claims/s', 'claim p50 ms', 'claim p99 ms', 'complete p99 ms'],
      rowOf('as fast as they can', full),
      rowOf('at half of the ceiling', half),
    ]);
    for (const { result } of [full, half])
      if (Object.keys(result.errors).length > 0) say(`  errors: ${JSON.stringify(result.errors)}`);
    await apps.stopAll();
    await clearTables(bench);
  },
};

type Outcome = { made: number; left: number; result: AgentLoadResult };

function rowOf(label: string, { made, left, result }: Outcome): (string | number)[] {
  const { completed, doubles, seconds, claim, complete } = result;
  return [
    label,
    made,
    completed,
    left,
    doubles,
    Math.round(completed / seconds),
    claim.p50Ms,
    claim.p99Ms,
    complete.p99Ms,
  ];
}

async function makeTasks(bench: Bench, url: string): Promise<number> {
  const { apiKey } = bench.apps;
  const text = JSON.stringify(benchTask(role));
  const load = { url: `${url}/v1/tasks`, headers: { 'x-api-key': apiKey }, connections: 32, seconds: 1 };
  for (;;) {
    const left = await countLeft(bench);
    if (left >= taskCount) return left;
    await runLoad({ ...load, body: { kind: 'plain', text } });
  }
}

async function countLeft({ stores }: Bench): Promise<number> {
  const [row] = await stores.database.db.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM tasks WHERE assigned_role = $1 AND status <> 'completed'`,
    [role],
  );
  return row?.left ?? 0;
}
