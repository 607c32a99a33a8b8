import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../dashboard/open-browser.ts';
import { workerApps } from '../../harness/apps.ts';
import type { Bench, Scenario } from '../../harness/bench.ts';
import { clearTables } from '../../harness/backlog.ts';
import { processorMs, treeProcessorMs } from '../../harness/memory.ts';
import { percent, quantile, say, table } from '../../harness/report.ts';
import { openSessions, talkerCount, talksPerSecond, unfollowedMs } from '../../runners/talking-agents.ts';

const [mostOfCores, mostMs] = [0.15, 300];
const cores = 2;

export const scenario: Scenario = {
  name: 'agent-sessions',
  about: `${talkerCount} agents that say ${talksPerSecond} things a second each: what their sessions cost the gateway and Postgres, and how late one is on an open page`,
  async run(bench) {
    const { apps, options } = bench;
    const [gateway] = await apps.startAll(['api-gateway', ...workerApps]);
    if (!gateway) throw new Error('the gateway did not start');
    const ending = new AbortController();
    const sessions = await openSessions(gateway.url, apps.apiKey);
    const { postgres = NaN } = bench.stores.pids;
    const used = () => [processorMs(gateway.pid), treeProcessorMs(postgres)];
    const rest = await usedIn(options.roundSeconds, used);
    const talking = sessions.map((session) => session.talk(ending.signal));
    await sleep(5_000);
    const busy = await usedIn(options.roundSeconds, used);
    const cost = busy.map((share, at) => share - (rest[at] ?? 0));
    table([
      ['% of a core', 'nothing', `${talkerCount} agents`, 'difference'],
      ...['gateway', 'Postgres'].map((name, at) => [name, percent(rest[at]), percent(busy[at]), percent(cost[at])]),
    ]);
    const [first] = sessions;
    const delays = first ? await delaysOnPage(bench, gateway, first.taskId) : [];
    ending.abort();
    await Promise.all(talking);
    for (const session of sessions) session.close();
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
    const visit = (node) => {
      for (const [, at] of (node.textContent ?? '').matchAll(/said at (\\d+)/g)) {
        if (seen.has(at)) continue;
        seen.add(at);
        delays.push(Date.now() - Number(at));
      }
    };
    const list = document.querySelector('ol[aria-label^="Entries of"]');
    for (const item of list.children) visit(item);
    delays.length = 0;
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach(visit))).observe(list, {
      childList: true, subtree: true, characterData: true,
    });
    setTimeout(() => done(delays), ${bench.options.roundSeconds * 1_000});
  })`);
  await browser.close();
  return delays;
}
