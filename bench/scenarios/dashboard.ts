import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser, type DashboardUser } from '../dashboard/open-browser.ts';
import { openPages } from '../dashboard/idle-pages.ts';
import { type Scrolled, scrollScript } from '../dashboard/scroll.ts';
import { type RunningApp, workerApps } from '../harness/apps.ts';
import { clearTables } from '../harness/backlog.ts';
import type { Scenario } from '../harness/bench.ts';
import { processorMs } from '../harness/memory.ts';
import { quantile, say, table } from '../harness/report.ts';
import { fillTenant, withoutTaskIndexes } from '../size/task-tenants.ts';

const tasks = 100_000;
const samples = 15;
const scrollSeconds = 15;
const pageCount = 50;
const loadSeconds = 20;
const changesPerSecond = 0.2;

export const scenario: Scenario = {
  name: 'dashboard',
  about: `in Chromium, next to ${tasks.toLocaleString('en')} tasks: first load, changes on the page, scrolling; and what ${pageCount} open pages cost the gateway`,
  async run(bench) {
    const { apps, stores } = bench;
    const { db } = stores.database;
    const [tenant] = await db.query<{ id: string }>(`SELECT id FROM tenants WHERE slug = 'default'`);
    if (!tenant) throw new Error('there is no default tenant');
    await withoutTaskIndexes(db, () => fillTenant(db, tenant.id, tasks));
    await apps.startAll(workerApps);
    const gateway = await apps.start('api-gateway');
    const user = await openBrowser(bench, gateway);
    table([['', 'p50 ms', 'max ms'], await firstLoads(user), await changes(user)]);
    await scroll(user);
    const paths = await readsOfAnEvent(user);
    await user.browser.close();
    await openDashboards(gateway, user, paths);
    await apps.stopAll();
    await clearTables(bench);
  },
};

const rows = (page: Page) => page.getByRole('table', { name: 'Tasks' }).getByRole('link');

/** Navigation → rows on the page, with nothing in the cache; the first one warms the gateway. */
async function firstLoads({ newProfile }: DashboardUser) {
  const times: number[] = [];
  for (let sample = -1; sample < samples; sample += 1) {
    const context = await newProfile();
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto('/admin/tasks', { waitUntil: 'commit' });
    await rows(page).first().waitFor();
    if (sample >= 0) times.push(performance.now() - startedAt);
    await context.close();
  }
  return ['opened → rows of tasks are on the page', quantile(times, 0.5), Math.max(...times)];
}

/** 201 received → the new task is on an open page. */
async function changes({ newProfile, call }: DashboardUser) {
  const context = await newProfile();
  const page = await context.newPage();
  await page.goto('/admin/tasks');
  await rows(page).first().waitFor();
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const title = `Seen ${sample}`;
    const shown = page.getByRole('link', { name: title, exact: true }).waitFor();
    await call('/v1/tasks', { title, description: 'x' });
    const startedAt = performance.now();
    await shown;
    times.push(Math.max(0, performance.now() - startedAt));
    await sleep(700);
  }
  await context.close();
  return ['task created → it is on an open page', quantile(times, 0.5), Math.max(...times)];
}

/** What counts is the time between two frames. */
async function scroll({ newProfile }: DashboardUser): Promise<void> {
  const context = await newProfile();
  const page = await context.newPage();
  await page.goto('/admin/tasks');
  await rows(page).first().waitFor();
  const { frames, lastRow } = await page.evaluate<Scrolled>(scrollScript(scrollSeconds));
  table([
    ['scrolling', 'frames', 'p50 ms', 'p99 ms', 'longest ms'],
    [`to row ${lastRow}`, frames.length, quantile(frames, 0.5), quantile(frames, 0.99), Math.max(...frames)],
  ]);
  await context.close();
}

/** The paths that a page of tasks reads again after one event. */
async function readsOfAnEvent({ newProfile, call }: DashboardUser): Promise<string[]> {
  const context = await newProfile();
  const page = await context.newPage();
  await page.goto('/admin/tasks');
  await rows(page).first().waitFor();
  await sleep(2_000);
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.endsWith('/stream')) paths.push(pathname + search);
  });
  await sleep(5_000);
  say(`  an idle page made ${paths.splice(0).length} requests in 5 s`);
  await call('/v1/tasks', { title: 'One event', description: 'x' });
  await sleep(3_000);
  await context.close();
  return paths;
}

async function openDashboards(gateway: RunningApp, user: DashboardUser, paths: readonly string[]): Promise<void> {
  const alone = await coreShare(gateway, user, 0);
  const aloneChanging = await coreShare(gateway, user, changesPerSecond);
  const pages = await openPages(gateway.url, { count: pageCount, paths, signIn: user.signIn });
  await sleep(3_000);
  const idle = await coreShare(gateway, user, 0);
  const readsBefore = pages.reads();
  const changing = await coreShare(gateway, user, changesPerSecond);
  table([
    ['% of a core that the gateway uses', 'no page', `${pageCount} pages`],
    ['nothing changes', alone, idle],
    [`${changesPerSecond} tasks a second are created`, aloneChanging, changing],
  ]);
  say(`  after an event a page reads ${paths.join(', ')}; ${pages.reads() - readsBefore} reads in ${loadSeconds} s`);
  pages.close();
}

async function coreShare({ pid }: RunningApp, { call }: DashboardUser, perSecond: number): Promise<number> {
  const usedBefore = processorMs(pid);
  const endsAt = performance.now() + loadSeconds * 1_000;
  for (let number = 0; performance.now() < endsAt; number += 1) {
    if (perSecond > 0) await call('/v1/tasks', { title: `Change ${number}`, description: 'x' });
    await sleep(perSecond > 0 ? 1_000 / perSecond : loadSeconds * 1_000);
  }
  return ((processorMs(pid) - usedBefore) / (loadSeconds * 1_000)) * 100;
}
