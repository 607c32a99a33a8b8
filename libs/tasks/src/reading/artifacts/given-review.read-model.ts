import { type DbScope, firstRowsSql, rowByKeySql } from '@eas/db';
import { type LineFinding, lineFindingsOf } from '../../records/acceptance/line-findings.ts';

/** What an agent decided about the work on a task. */
export type GivenReview = {
  /** The task of the review, and the one that it is about. */
  id: string;
  reviewOf: string;
  decision: 'approve' | 'reject';
  comment: string | null;
  findings: LineFinding[];
  /** Whether the project has several repositories, each of which is a folder for the reviewer. */
  isOfSeveral: boolean;
};

const readSql = (found: string) => `
  SELECT t.id, t.review_of AS "reviewOf", t.result -> 'result' ->> 'decision' AS decision,
    t.result -> 'result' ->> 'comment' AS comment, t.result -> 'result' -> 'findings' AS findings,
    coalesce(jsonb_array_length(p.repositories) > 1, false) AS "isOfSeveral"
  FROM unnest($2::text[]) AS wanted (id)
  ${found}
  LEFT JOIN projects p ON p.tenant_id = $1 AND p.id = t.project_id
  WHERE t.review_of IS NOT NULL AND t.status = 'completed' AND t.result -> 'result' ->> 'decision' IN ('approve', 'reject')`;

const byIdSql = readSql(rowByKeySql('t', { from: 'tasks', where: 'tenant_id = $1 AND id = wanted.id' }));
const newestOfSql = readSql(
  firstRowsSql('t', {
    from: 'tasks',
    where: `tenant_id = $1 AND review_of = wanted.id AND status = 'completed'`,
    orderBy: 'id DESC',
  }),
);

/** Of those tasks that are reviews with a decision. */
export const readGivenReviews = (scope: DbScope, taskIds: readonly string[]): Promise<GivenReview[]> =>
  read(scope, byIdSql, taskIds);

/** The newest review of each of the tasks, if it has a decision. */
export const readNewestReviews = (scope: DbScope, reviewed: readonly string[]): Promise<GivenReview[]> =>
  read(scope, newestOfSql, reviewed);

async function read({ db, tenantId }: DbScope, sql: string, ids: readonly string[]): Promise<GivenReview[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<Omit<GivenReview, 'findings'> & { findings: unknown }>(sql, [tenantId, ids]);
  return rows.map(({ findings, ...review }) => ({ ...review, findings: lineFindingsOf(findings) }));
}
