import { createHash } from 'node:crypto';
import { listBody, type Page, pageOf, type TaskFilter } from '@eas/contracts';
import { createSecretBox } from '@eas/core';
import { createContext, type Db, type UseCaseContext } from '@eas/db';
import { createLogger } from '@eas/runtime';
import { aggregateTaskCounts, listTasks } from '@eas/tasks';
import type { Bench, Scenario } from '../harness/bench.ts';
import { clearTables } from '../harness/backlog.ts';
import { quantile, say, table } from '../harness/report.ts';
import { fillTenant, withoutTaskIndexes } from '../size/task-tenants.ts';

const sizes = { tnt_small: 100_000, tnt_large: Number(process.env['BENCH_TASKS'] ?? 3_000_000) };
const samples = 100;
const warmUps = 8;

type Case = { name: string; filter: TaskFilter; sort: Page['sort'] };
/** Milliseconds of the page and of the total, and pages of 8 KiB that each read at most. */
type Costs = { page: number[]; total: number[]; pageBuffers: number; totalBuffers: number };

export const scenario: Scenario = {
  name: 'task-lists-at-size',
  about: `lists of 100,000 and 3,000,000 tasks, at the database: each filter, each sort, first pages and pages by cursor`,
  async run(bench) {
    const { db } = bench.stores.database;
    const [left] = await db.query('SELECT FROM tasks LIMIT 1');
    say(left ? '  with the tasks that an interrupted run has left' : '  loading');
    if (!left)
      await withoutTaskIndexes(db, async () => {
        for (const [tenantId, tasks] of Object.entries(sizes)) await fillTenant(db, tenantId, tasks);
      });
    await aggregateTaskCounts(db);
    const now = bench.stores.database.clock.now();
    const [small, large] = [await openTenant(bench, 'tnt_small'), await openTenant(bench, 'tnt_large')];
    const ofLarge = cases(now, 'tnt_large');
    const rows: (string | number)[][] = [];
    for (const [index, one] of cases(now, 'tnt_small').entries()) {
      const [few, many] = [await small(one), await large(ofLarge[index] ?? one)];
      const ms = (times: number[], share: number) => quantile(times, share).toFixed(2);
      rows.push([
        one.name,
        ...[few, many].flatMap(({ page, pageBuffers }) => [ms(page, 0.5), ms(page, 0.99), pageBuffers]),
        ...[few, many].flatMap(({ total, totalBuffers }) => [ms(total, 0.99), totalBuffers]),
      ]);
    }
    table([head, ...rows.sort((a, b) => Number(b[6]) - Number(a[6]))]);
    await clearTables(bench);
  },
};

const columnsOf = (what: string, size: string) => [`${what} p99 ms ${size}`, `${what} buffers ${size}`];
const head = [
  'list',
  ...['100k', '3M'].flatMap((size) => [`page p50 ms ${size}`, ...columnsOf('page', size)]),
  ...['100k', '3M'].flatMap((size) => columnsOf('total', size)),
];

const fields = ['created_at', 'id', 'title', 'status', 'priority', 'assigned_role', 'assigned_agent', 'due_date'];

/** A title that two tasks have in each tenant. */
const titleOfTwo = `Task ${createHash('md5').update('77').digest('hex')}`;

function cases(now: Date, tenantId: string): Case[] {
  const newest = { field: 'created_at', isDescending: true };
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const filters: Record<string, TaskFilter> = {
    'no filter': {},
    'status completed': { status: 'completed' },
    'status failed': { status: 'failed' },
    'status created': { status: 'created' },
    'status unknown': { status: 'unknown' },
    'priority medium': { priority: 'medium' },
    'priority critical': { priority: 'critical' },
    'role rd': { assigned_role: 'rd' },
    'role rare': { assigned_role: 'rare' },
    'tag backend': { tag: 'backend' },
    'tag legacy (old tasks alone)': { tag: 'legacy' },
    'tag rare': { tag: 'rare' },
    'tag unknown': { tag: 'unknown' },
    ticket: { 'metadata.ticket_id': 'ENG-4711' },
    repository: { 'metadata.repository': 'acme/repo-7' },
    'in review by a person': { review_by: 'person' },
    'run unknown': { workflow_run_id: 'run_1' },
    'created after 3 days ago': { created_after: ago(3) },
    'created after 600 days ago': { created_after: ago(600) },
    'created before 600 days ago': { created_before: ago(600) },
    'created at': { created_at: ago(100) },
    'due before now': { due_before: now },
    'due before 200 days ago (old tasks alone)': { due_before: ago(200) },
    'due before 729 days ago (hardly any)': { due_before: ago(729) },
    'due before next year (all)': { due_before: ago(-400) },
    'due at': { due_date: ago(100) },
    title: { title: titleOfTwo },
    'no agent': { assigned_agent: 'none' },
    'agent with many': { assigned_agent: `agt_${tenantId}0` },
    'agent with few': { assigned_agent: `agt_${tenantId}150` },
  };
  const sorts = fields.flatMap((field) => [true, false].map((isDescending) => ({ field, isDescending })));
  const dueFirst = { field: 'due_date', isDescending: false };
  return [
    ...Object.entries(filters).map(([name, filter]) => ({ name, filter, sort: newest })),
    { name: 'overdue', filter: { is_overdue: 'true' }, sort: dueFirst },
    { name: 'agent with many, by due date', filter: filters['agent with many'] ?? {}, sort: dueFirst },
    { name: 'agent with few, by due date', filter: filters['agent with few'] ?? {}, sort: dueFirst },
    { name: 'no agent, by due date', filter: { assigned_agent: 'none' }, sort: dueFirst },
    { name: 'status failed, by due date', filter: { status: 'failed' }, sort: dueFirst },
    { name: 'status completed, by due date', filter: { status: 'completed' }, sort: dueFirst },
    { name: 'status and priority', filter: { status: 'completed', priority: 'critical' }, sort: newest },
    {
      name: 'status and role, by title',
      filter: { status: 'failed', assigned_role: 'qa' },
      sort: { field: 'title', isDescending: false },
    },
    { name: 'failed lately', filter: { failed_after: ago(7) }, sort: { field: 'failed_at', isDescending: true } },
    {
      name: 'in review by a person, the longest first',
      filter: { review_by: 'person' },
      sort: { field: 'review_since', isDescending: false },
    },
    ...sorts.map((sort) => ({ name: `sort ${sort.isDescending ? '-' : ''}${sort.field}`, filter: {}, sort })),
  ];
}

/** How long a case's statements take for a tenant: half of the pages are first ones, half begin behind a middle row. */
async function openTenant({ stores }: Bench, tenantId: string): Promise<(one: Case) => Promise<Costs>> {
  const costs: Costs = { page: [], total: [], pageBuffers: 0, totalBuffers: 0 };
  const { database } = stores;
  const logger = createLogger({ name: 'bench', level: 'error' });
  const parts = { database, logger, secrets: createSecretBox([Buffer.alloc(32).toString('base64')]) };
  const ctx: UseCaseContext = {
    ...createContext(parts, { tenantId, actor: { id: 'bench' } }),
    db: measured(database.db, costs),
  };
  const middle = await middles(database.db, tenantId);
  return async ({ filter, sort }) => {
    for (let sample = -warmUps; sample < samples; sample += 1) {
      if (sample === 0) Object.assign(costs, { page: [], total: [], pageBuffers: 0, totalBuffers: 0 });
      const after = sample % 2 === 0 ? '' : middle[Math.abs(sample) % middle.length];
      const page = { ...pageOf({ limit: 20, after }), sort };
      listBody(page, await listTasks(ctx, filter, page));
    }
    return { ...costs };
  };
}

async function middles(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM tasks TABLESAMPLE BERNOULLI (1) WHERE tenant_id = $1 ORDER BY md5(id) LIMIT 20`,
    [tenantId],
  );
  return rows.map(({ id }) => id);
}

/** Pages of 8 KiB that a statement reads. */
async function buffersOf(db: Db, text: string, values: readonly unknown[]): Promise<number> {
  const [row] = await db.query<Record<string, { Plan: Record<string, number> }[]>>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  const plan = row?.['QUERY PLAN']?.[0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

/** Runs one statement at a time and records what it cost: reading the cursor's row belongs to the page. */
function measured(db: Db, costs: Costs): Db {
  let turn: Promise<unknown> = Promise.resolve();
  let cursorMs = 0;
  let asked = 0;
  return {
    ...db,
    query(text, values, options) {
      const run = turn.then(async () => {
        const isTotal = /^SELECT (count|coalesce)/.test(text);
        // Counting a million takes its time, and ten times are enough.
        if (isTotal && (asked += 1) % 10 !== 0) return [];
        const startedAt = performance.now();
        const rows = await db.query<never>(text, values, options);
        const tookMs = performance.now() - startedAt;
        if (isTotal || / AS "listTotal"/.test(text)) costs.total.push(tookMs);
        if (isTotal) {
          costs.totalBuffers = Math.max(costs.totalBuffers, await buffersOf(db, text, values ?? []));
          return rows;
        }
        if (/ AS value FROM/.test(text)) cursorMs = tookMs;
        else {
          costs.page.push(tookMs + cursorMs);
          if (costs.page.length % 10 === 9)
            costs.pageBuffers = Math.max(costs.pageBuffers, await buffersOf(db, text, values ?? []));
          cursorMs = 0;
        }
        return rows;
      });
      turn = run.catch(() => {});
      return run;
    },
  };
}
