import { setTimeout as sleep } from 'node:timers/promises';
import { type ResidentMemory, residentMemory } from '@eas/testing/resident-memory';
import { workerApps } from '../../harness/apps.ts';
import type { Scenario } from '../../harness/bench.ts';
import { processorMs } from '../../harness/memory.ts';
import { postJson } from '../../harness/post-json.ts';
import { percent, table } from '../../harness/report.ts';
import {
  makeWorkspace,
  removeWorkspace,
  type Runner,
  startRunner,
  transpileRunner,
} from '../../runners/start-runner.ts';

const [mostMegabytes, mostOfACore] = [120, 0.05];
/** Agents that one runner has at the same time. */
const sizes = [1, 8];
/** Agents start, and what is measured is their work. */
const settleSeconds = 10;

const task = { title: 'Say hello', description: 'Write hello.txt.' };

type Cost = { memory: ResidentMemory; core: number };

export const scenario: Scenario = {
  name: 'agent-runner',
  about:
    'a runner next to coding agents (played) that send 20 updates a second each: its memory, and its share of a core',
  async run({ apps, options: { roundSeconds } }) {
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps]);
    const url = gateway?.url ?? '';
    const rows: string[][] = [];
    await transpileRunner({ url, apiKey: apps.apiKey });
    for (const agents of sizes) {
      const role = `streaming-${agents}`;
      for (let made = 0; made < agents; made += 1)
        await postJson(`${url}/v1/tasks`, apps.apiKey, { ...task, assigned_role: role });
      const workspace = makeWorkspace();
      const script = `stream ${settleSeconds + roundSeconds + 5}`;
      const runner = startRunner({ url, apiKey: apps.apiKey, role, agents, script, workspace });
      try {
        const cost = await costOf(runner, agents, roundSeconds);
        rows.push([String(agents), String(cost.memory.now), String(cost.memory.peak), percent(cost.core)]);
        judge(cost, agents);
      } finally {
        await runner.end();
        removeWorkspace(workspace);
      }
    }
    table([['agents', 'MB', 'peak MB', '% of a core'], ...rows]);
  },
};

async function costOf(runner: Runner, agents: number, seconds: number): Promise<Cost> {
  await runner.untilWorking(agents);
  await sleep(settleSeconds * 1_000);
  const [usedBefore, startMs] = [processorMs(runner.pid), performance.now()];
  await sleep(seconds * 1_000);
  const core = (processorMs(runner.pid) - usedBefore) / (performance.now() - startMs);
  return { memory: residentMemory(runner.pid), core };
}

function judge({ memory, core }: Cost, agents: number): void {
  if (memory.now <= mostMegabytes && core / agents <= mostOfACore) return;
  const most = `${mostMegabytes} MB, or ${percent(mostOfACore)} % of a core for each agent`;
  throw new Error(`${agents} agents: ${memory.now} MB and ${percent(core)} % of a core; more than ${most}`);
}
