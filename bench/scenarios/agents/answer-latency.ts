import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@eas/testing/eventually';
import { workerApps } from '../../harness/apps.ts';
import type { Scenario } from '../../harness/bench.ts';
import { postJson } from '../../harness/post-json.ts';
import { quantile, table } from '../../harness/report.ts';
import { makeWorkspace, removeWorkspace, startRunner, transpileRunner } from '../../runners/start-runner.ts';

const answers = 20;
const role = 'asking';
const task = { title: 'Say hello', description: 'Ask for the colour.', assigned_role: role };
/** Longest time from the answer of a person until the agent goes on, in ms. */
const most = { alive: 2_000, killed: 5_000 };

export const scenario: Scenario = {
  name: 'answer-latency',
  about:
    'from the answer of a person until a coding agent (played) goes on: while it waits, and after kill -9 of its runner',
  async run({ apps }) {
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps]);
    const service = { url: gateway?.url ?? '', apiKey: apps.apiKey };
    await transpileRunner(service);
    const workspace = makeWorkspace();
    const start = () => startRunner({ ...service, role, agents: 1, script: 'elicitation', workspace });
    let runner = start();
    const restart = async () => {
      await runner.end();
      runner = start();
    };
    try {
      const alive = await delaysOf({ ...service, workspace, before: async () => {} });
      const killed = await delaysOf({ ...service, workspace, before: restart });
      table([
        ['answer \u2192 the agent goes on', 'p50 ms', 'longest ms', 'most'],
        rowOf('alive', alive),
        rowOf('killed', killed),
      ]);
      if (Math.max(...alive) > most.alive || Math.max(...killed) > most.killed) throw new Error('later than it may be');
    } finally {
      await runner.end();
      removeWorkspace(workspace);
    }
  },
};

const rowOf = (name: keyof typeof most, delays: readonly number[]) =>
  [name, quantile(delays, 0.5), Math.max(...delays), most[name]].map((cell) => String(cell));

type Asking = { url: string; apiKey: string; workspace: string; before: () => Promise<void> };

/** Each task asks one question. `before`: between the question and its answer. */
async function delaysOf({ url, apiKey, workspace, before }: Asking): Promise<number[]> {
  const delays: number[] = [];
  for (let asked = 0; asked < answers; asked += 1) {
    const id = String((await postJson(`${url}/v1/tasks`, apiKey, task))['id']);
    const input = await untilAsked(`${url}/v1/inputs?status=pending&task_id=${id}`, apiKey);
    await before();
    const answeredAt = Date.now();
    await postJson(`${url}/v1/inputs/${input}/answer`, apiKey, { content: { colour: 'blue' } });
    const written = join(workspace, id, 'work', 'hello.txt');
    await eventually(() => existsSync(written));
    delays.push(Math.round(statSync(written).mtimeMs - answeredAt));
  }
  return delays;
}

async function untilAsked(address: string, apiKey: string): Promise<string> {
  let found: string | undefined;
  await eventually(async () => {
    const response = await fetch(address, { headers: { 'x-api-key': apiKey } });
    const { data } = (await response.json()) as { data: { id: string }[] };
    found = data[0]?.id;
    return found !== undefined;
  });
  return found ?? '';
}
