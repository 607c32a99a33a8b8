import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../dashboard/open-browser.ts';
import { workerApps } from '../../harness/apps.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { clearTables } from '../../harness/backlog.ts';
import { makeAgents } from '../../harness/make-agents.ts';
import { processorMs, treeProcessorMs } from '../../harness/memory.ts';
import { openConnection } from '../../harness/open-connection.ts';
import { postJson } from '../../harness/post-json.ts';
import { percent, quantile, say, table } from '../../harness/report.ts';
import { type BenchAgent, benchTask, claim, expectStatus } from '../../harness/work-task.ts';

const [agentCount, perSecond] = [50, 20];
/** As the agent-runner sends them: while nobody follows the session, and while somebody does. */
const [unfollowedMs, followedMs] = [2_000, 150];
const [mostOfCores, mostMs] = [0.15, 300];
const cores = 2;
const role = 'sessions';

export const scenario: Scenario = {
  name: 'agent-sessions',
  about: `${agentCount} agents that say ${perSecond} things a second each: what their sessions cost the gateway and Postgres, and how late one is on an open page`,
  async run(bench) {
    const { apps, options } = bench;
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    const agents = await makeAgents(gateway.url, apps.apiKey, role, agentCount);
    const ending = new AbortController();
    const sessions = await Promise.all(agents.map((agent) => openSession(gateway.url, apps.apiKey, agent)));
    const { postgres = NaN } = bench.stores.pids;
    const used = () => [processorMs(gateway.pid), treeProcessorMs(postgres)];
    const rest = await usedIn(options.roundSeconds, used);
    const talking = sessions.map((session) => session.talk(ending.signal));
    await sleep(5_000);
    const busy = await usedIn(options.roundSeconds, used);
    const cost = busy.map((share, at) => share - (rest[at] ?? 0));
    table([
      ['% of a core', 'nothing', `${agentCount} agents`, 'difference'],
      ...['gateway', 'Postgres'].map((name, at) => [name, percent(rest[at]), percent(busy[at]), percent(cost[at])]),
    ]);
    const [first] = sessions;
    const delays = first ? await delaysOnPage(bench, gateway, first.taskId) : [];
    ending.abort();
    await Promise.all(talking);
    table([
      ['said → on an open page', 'entries', 'p50 ms', 'p99 ms', 'longest ms'],
      ['', delays.length, quantile(delays, 0.5), quantile(delays, 0.99), Math.max(...delays)],
    ]);
    const share = cost.reduce((sum, one) => sum + one, 0) / cores;
    say(`  ${percent(share)} % of ${cores} cores`);
    await apps.stopAll();
    await clearTables(bench);
    if (share > mostOfCores || quantile(delays, 0.99) > mostMs)
      throw new Error(`more than ${percent(mostOfCores)} % of ${cores} cores, or p99 later than ${mostMs} ms`);
  },
};

/** Share of a core that each process used. */
async function usedIn(seconds: number, used: () => number[]): Promise<number[]> {
  const [before, startedAt] = [used(), performance.now()];
  await sleep(seconds * 1_000);
  const tookMs = performance.now() - startedAt;
  return used().map((ms, at) => (ms - (before[at] ?? 0)) / tookMs);
}

/** An agent with a task, and a session that it talks in until the signal aborts. */
async function openSession(url: string, apiKey: string, agent: BenchAgent) {
  await postJson(`${url}/v1/tasks`, apiKey, benchTask(role));
  const connection = openConnection(url);
  const { claimed } = await claim(connection, agent, 30);
  if (!claimed) throw new Error('the task was not there');
  const { lease, task } = claimed;

  async function talk(ending: AbortSignal): Promise<void> {
    let [first, saidAt, pauseMs] = [1, Date.now(), Math.random() * unfollowedMs];
    while (!ending.aborted) {
      await sleep(pauseMs, undefined, { signal: ending }).catch(() => {});
      const entries: object[] = [];
      for (; saidAt < Date.now(); saidAt += 1_000 / perSecond) entries.push(entryOf(first + entries.length, saidAt));
      if (entries.length === 0) continue;
      const body = { fencing_token: lease.fencing_token, first, entries };
      const reply = await connection.send('POST', `/v1/leases/${lease.lease_id}/session/entries`, agent.key, body);
      expectStatus(reply, 200);
      first = reply.body['next'] as number;
      pauseMs = reply.body['is_followed'] === true ? followedMs : unfollowedMs;
    }
    connection.close();
  }
  return { taskId: task.id, talk };
}

/** Like an agent: words, and every fifth time a tool with what it printed. */
const entryOf = (number: number, ms: number): object =>
  number % 5 === 0
    ? { kind: 'tool', id: `call ${number}`, type: 'execute', title: 'npm test', status: 'completed', output }
    : { kind: 'notice', text: `said at ${Math.round(ms)}` };
const output = 'ok\n'.repeat(60);

type Gateway = Parameters<typeof openBrowser>[1];

/** How late entries were on the page of a task, in ms: both clocks are that of this machine. */
async function delaysOnPage(bench: Bench, gateway: Gateway, taskId: string): Promise<number[]> {
  const { newProfile, browser } = await openBrowser(bench, gateway);
  const page: Page = await (await newProfile()).newPage();
  await page.goto(`/admin/tasks/${taskId}`);
  await page.getByText('said at').first().waitFor();
  // The agent learns with its next call that it is followed.
  await sleep(unfollowedMs * 2);
  const delays = await page.evaluate<number[]>(`new Promise((done) => {
    const delays = [];
    const seen = new Set();
    const look = (node) => {
      for (const [, at] of (node.textContent ?? '').matchAll(/said at (\\d+)/g)) {
        if (seen.has(at)) continue;
        seen.add(at);
        delays.push(Date.now() - Number(at));
      }
    };
    const list = document.querySelector('ol[aria-label^="Entries of"]');
    for (const item of list.children) look(item);
    delays.length = 0;
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(look))).observe(list, {
      childList: true, subtree: true, characterData: true,
    });
    setTimeout(() => done(delays), ${bench.options.roundSeconds * 1_000});
  })`);
  await browser.close();
  return delays;
}
