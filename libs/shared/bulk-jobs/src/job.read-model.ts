import type { Page, PageOfItems } from '@eas/contracts';
import { type Condition, type DbScope, equalFields, fetchPage, type ListSource, selectList } from '@eas/db';
import type { JobKind, JobRow } from './job-kind.ts';

const common = { id: true, status: true, createdBy: true, createdAt: true, updatedAt: true, finishedAt: true } as const;

/** All fields of a job, as a select list. */
export const jobColumns = <Row extends JobRow>({ own }: JobKind<Row>): string => selectList({ ...common, ...own });

export async function findJob<Row extends JobRow>(
  { db, tenantId }: DbScope,
  kind: JobKind<Row>,
  id: string,
): Promise<Row | undefined> {
  const sql = `SELECT ${jobColumns(kind)} FROM ${kind.table} WHERE tenant_id = $1 AND id = $2`;
  return (await db.query<Row>(sql, [tenantId, id]))[0];
}

const sortable: ListSource['sortable'] = {
  id: { sql: 'id', type: 'text' },
  status: { sql: 'status', type: 'text' },
  created_by: { sql: 'created_by', type: 'text' },
  created_at: { sql: 'created_at', type: 'timestamptz' },
  updated_at: { sql: 'updated_at', type: 'timestamptz' },
  finished_at: { sql: 'finished_at', type: 'timestamptz', isNullable: true },
};

/** A page of the jobs that match the subject and the filter, by fields that all jobs have. */
export function pageJobs<Row extends JobRow>(
  scope: DbScope,
  kind: JobKind<Row>,
  { subject, filter }: { subject: Condition; filter: Record<string, unknown> },
  page: Page,
): Promise<PageOfItems<Row>> {
  const source = { from: kind.table, columns: jobColumns(kind), sortable };
  return fetchPage<Row>(scope, source, [subject, ...equalFields(source, filter)], page);
}
