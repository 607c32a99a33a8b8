import { AppError, newId } from '@eas/core';
import { columnOf, type DbScope, lockName, type Tx } from '@eas/db';
import type { JobKind, JobRow, OwnFields } from './job-kind.ts';

type NewJob<Row extends JobRow> = OwnFields<Row> & Pick<JobRow, 'createdBy' | 'createdAt'>;

/** Adds a running job; a sweep begins a swept one at once. Throws conflict `limit` when too many run. */
export async function addJob<Row extends JobRow>(tx: Tx, kind: JobKind<Row>, start: NewJob<Row>): Promise<Row> {
  await lockName(tx, kind.limits.lock);
  const { createdAt } = start;
  const job = { ...start, id: newId(kind.idKind), status: 'running', updatedAt: createdAt, finishedAt: null };
  await assertLimits(tx, kind, start);
  if (await insertJob(tx, kind, job)) return job as unknown as Row;
  // A process of a release without this lock has just added a job, and an index refuses a second one.
  await assertLimits(tx, kind, start);
  throw new Error(`${kind.table} refuses a job within the limits`);
}

async function assertLimits<Row extends JobRow>(tx: Tx, kind: JobKind<Row>, start: NewJob<Row>): Promise<void> {
  const message = limitMessage(kind, await findRunning(tx, kind), start);
  if (message !== undefined) throw new AppError('conflict', { field: '', constraint: 'limit', message });
}

type Running = { id: string; subject: unknown };

function findRunning<Row extends JobRow>({ db, tenantId }: Tx, { table, limits }: JobKind<Row>): Promise<Running[]> {
  const subject = limits.perSubject ? columnOf(limits.perSubject.field) : 'NULL';
  const sql = `SELECT id, ${subject} AS subject FROM ${table} WHERE tenant_id = $1 AND status = 'running' LIMIT $2`;
  return db.query<Running>(sql, [tenantId, limits.perTenant ?? null]);
}

function limitMessage<Row extends JobRow>(
  { name, limits: { perTenant = Infinity, perSubject } }: JobKind<Row>,
  running: Running[],
  start: NewJob<Row>,
): string | undefined {
  const same = perSubject && running.find(({ subject }) => subject === start[perSubject.field]);
  const first = same ?? (perTenant === 1 ? running[0] : undefined);
  if (same && perSubject.message !== undefined) return perSubject.message;
  if (first) return `The ${name} ${first.id} is running. Cancel it, or wait for it to complete.`;
  return running.length < perTenant ? undefined : `A tenant can have at most ${perTenant} running ${name}s.`;
}

async function insertJob<Row extends JobRow>({ db, tenantId }: Tx, kind: JobKind<Row>, job: object): Promise<boolean> {
  const fields = Object.entries(job);
  const columns = ['tenant_id', ...fields.map(([field]) => columnOf(field))];
  const values = columns.map((_, index) => `$${index + 1}`);
  const [due, now] = 'step' in kind ? [', next_run_at', ', app_now()'] : ['', ''];
  const sql = `INSERT INTO ${kind.table} (${columns.join(', ')}${due}) VALUES (${values.join(', ')}${now})
    ON CONFLICT DO NOTHING RETURNING id`;
  return (await db.query(sql, [tenantId, ...fields.map(([, value]) => value)])).length > 0;
}

/** Ends a running job, a failed one with its error. False: it has ended already, or does not exist. */
export async function endJob<Row extends JobRow>(
  { db, tenantId }: DbScope,
  kind: JobKind<Row>,
  id: string,
  { status, error }: { status: 'completed' | 'cancelled' | 'failed'; error?: string },
): Promise<boolean> {
  const due = 'step' in kind ? 'next_run_at = NULL, ' : '';
  const failure = error === undefined ? '' : 'last_error = $4, ';
  const sql = `
    UPDATE ${kind.table} SET status = $3, ${due}${failure}updated_at = app_now(), finished_at = app_now()
    WHERE tenant_id = $1 AND id = $2 AND status = 'running' RETURNING id`;
  const values = [tenantId, id, status, ...(error === undefined ? [] : [error])];
  return (await db.query(sql, values)).length > 0;
}

/** Stores why a running job cannot go on now; a later attempt may succeed. */
export async function saveJobError<Row extends JobRow>(
  { db, tenantId }: DbScope,
  { table }: JobKind<Row>,
  id: string,
  error: string,
): Promise<void> {
  const sql = `UPDATE ${table} SET last_error = $3 WHERE tenant_id = $1 AND id = $2 AND status = 'running'`;
  await db.query(sql, [tenantId, id, error.slice(0, 1_000).toWellFormed()]);
}
