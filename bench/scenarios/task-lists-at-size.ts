import { createHash } from 'node:crypto';
import { listBody, type Page, pageOf, type TaskFilter } from '@eas/contracts';
import { createSecretBox } from '@eas/core';
import { createContext, type Db, type UseCaseContext } from '@eas/db';
import { createLogger } from '@eas/runtime';
import { foldTaskCounts, listTasks } from '@eas/tasks';
import type { Bench, Scenario } from '../harness/bench.ts';
import { clearTables } from '../harness/backlog.ts';
import { quantile, say, table } from '../harness/report.ts';
import { fillTenant, withoutTaskIndexes } from '../harness/task-tenants.ts';

const sizes = { tnt_small: 10_000, tnt_large: 1_000_000 };
const samples = 100;
const warmUps = 8;

type Case = { name: string; filter: TaskFilter; sort: Page['sort'] };
type Times = { page: number[]; total: number[] };

export const scenario: Scenario = {
  name: 'task-lists-at-size',
  about: `lists of 10,000 and 1,000,000 tasks, at the database: each filter, each sort, first pages and pages by cursor`,
  async run(bench) {
    const { db } = bench.stores.database;
    const [left] = await db.query('SELECT FROM tasks LIMIT 1');
    say(left ? '  with the tasks that an interrupted run has left' : '  loading');
    if (!left)
      await withoutTaskIndexes(db, async () => {
        for (const [tenantId, tasks] of Object.entries(sizes)) await fillTenant(db, tenantId, tasks);
      });
    await foldTaskCounts(db);
    const now = bench.stores.database.clock.now();
    const [small, large] = [await openTenant(bench, 'tnt_small'), await openTenant(bench, 'tnt_large')];
    const ofLarge = cases(now, 'tnt_large');
    const rows: (string | number)[][] = [];
    for (const [index, one] of cases(now, 'tnt_small').entries()) {
      const [few, many] = [await small(one), await large(ofLarge[index] ?? one)];
      const of = (share: number, what: keyof Times) => [quantile(few[what], share), quantile(many[what], share)];
      const [[p50Few = 0, p50Many = 0], [p99Few = 0, p99Many = 0]] = [of(0.5, 'page'), of(0.99, 'page')];
      const ratio = p50Many / p50Few;
      rows.push([
        one.name,
        p50Few,
        p50Many,
        p99Few,
        p99Many,
        ratio,
        quantile(few.total, 0.99),
        quantile(many.total, 0.99),
      ]);
    }
    const head = ['list', 'p50 10k', 'p50 1M', 'p99 10k', 'p99 1M', 'p50 ratio', 'total p99 10k', 'total p99 1M'];
    table([head, ...rows.sort((a, b) => Number(b[4]) - Number(a[4]))]);
    await clearTables(bench);
  },
};

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
    'agent with many': { assigned_agent: `agt_${tenantId}0` },
    'agent with few': { assigned_agent: `agt_${tenantId}150` },
  };
  const sorts = fields.flatMap((field) => [true, false].map((isDescending) => ({ field, isDescending })));
  return [
    ...Object.entries(filters).map(([name, filter]) => ({ name, filter, sort: newest })),
    { name: 'overdue', filter: { is_overdue: 'true' }, sort: { field: 'due_date', isDescending: false } },
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
async function openTenant({ stores }: Bench, tenantId: string): Promise<(one: Case) => Promise<Times>> {
  const times: Times = { page: [], total: [] };
  const { database } = stores;
  const logger = createLogger({ name: 'bench', level: 'error' });
  const parts = { database, logger, secrets: createSecretBox([Buffer.alloc(32).toString('base64')]) };
  const ctx: UseCaseContext = {
    ...createContext(parts, { tenantId, actor: { id: 'bench' } }),
    db: timed(database.db, times),
  };
  const middle = await middles(database.db, tenantId);
  return async ({ filter, sort }) => {
    for (let sample = -warmUps; sample < samples; sample += 1) {
      if (sample === 0) Object.assign(times, { page: [], total: [] });
      const after = sample % 2 === 0 ? '' : middle[Math.abs(sample) % middle.length];
      const page = { ...pageOf({ limit: 20, after }), sort };
      listBody(page, await listTasks(ctx, filter, page));
    }
    return { ...times };
  };
}

async function middles(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM tasks TABLESAMPLE BERNOULLI (1) WHERE tenant_id = $1 ORDER BY md5(id) LIMIT 20`,
    [tenantId],
  );
  return rows.map(({ id }) => id);
}

/** Runs one statement at a time and records how long it took: the look-up of the cursor's row belongs to the page. */
function timed(db: Db, times: Times): Db {
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
        if (isTotal || / AS "listTotal"/.test(text)) times.total.push(tookMs);
        if (isTotal) return rows;
        if (/ AS value FROM/.test(text)) cursorMs = tookMs;
        else {
          times.page.push(tookMs + cursorMs);
          cursorMs = 0;
        }
        return rows;
      });
      turn = run.catch(() => {});
      return run;
    },
  };
}
