import type { DbScope } from '@eas/db';
import type { LineFinding } from '../../records/acceptance/line-findings.ts';

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
    t.result -> 'result' ->> 'comment' AS comment, coalesce(t.result -> 'result' -> 'findings', '[]') AS findings
  FROM unnest($2::text[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM tasks WHERE tenant_id = $1 AND id = wanted.id OFFSET 0) AS t
  WHERE t.review_of IS NOT NULL AND t.status = 'completed' AND t.result -> 'result' ->> 'decision' IN ('approve', 'reject')`;

/** Of those tasks that are reviews with a decision. */
export const readGivenReviews = ({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<GivenReview[]> =>
  db.query<GivenReview>(readSql, [tenantId, taskIds]);
