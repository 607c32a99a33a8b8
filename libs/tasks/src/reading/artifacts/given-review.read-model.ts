import type { DbScope } from '@eas/db';
import { type LineFinding, lineFindingsOf } from '../../records/acceptance/line-findings.ts';

/** What an agent decided about the work on a task. */
export type GivenReview = {
  /** The task of the review, and the one that it is about. */
  id: string;
  reviewOf: string;
  decision: 'approve' | 'reject';
  comment: string | null;
  findings: LineFinding[];
};

const readSql = `
  SELECT t.id, t.review_of AS "reviewOf", t.result -> 'result' ->> 'decision' AS decision,
    t.result -> 'result' ->> 'comment' AS comment, t.result -> 'result' -> 'findings' AS findings
  FROM unnest($2::text[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM tasks WHERE tenant_id = $1 AND id = wanted.id OFFSET 0) AS t
  WHERE t.review_of IS NOT NULL AND t.status = 'completed' AND t.result -> 'result' ->> 'decision' IN ('approve', 'reject')`;

/** Of those tasks that are reviews with a decision. */
export async function readGivenReviews({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<GivenReview[]> {
  const rows = await db.query<Omit<GivenReview, 'findings'> & { findings: unknown }>(readSql, [tenantId, taskIds]);
  return rows.map(({ findings, ...review }) => ({ ...review, findings: lineFindingsOf(findings) }));
}
