import { type ClaimContext, type Directive, maxShownBytes, maxShownEntries } from '@eas/contracts';
import { boundedRowsSql, type DbScope } from '@eas/db';
import { type DirectiveRow, toDirective } from '../../records/directives/directive.ts';
import { pendingSql } from '../../records/directives/directive.store.ts';
import { claimsSql } from '../../records/timeline/timeline.store.ts';

/** The newest artifacts of a task, without their data: 100 of them are small. */
const artifactsSql = (task: string) => `
  coalesce((SELECT json_agg(json_build_object('kind', kind, 'title', title, 'url', url) ORDER BY id)
    FROM (SELECT * FROM artifacts WHERE tenant_id = t.tenant_id AND task_id = ${task} ORDER BY id DESC
      LIMIT ${maxShownEntries}) AS newest), '[]')`;

const answersSql = boundedRowsSql({
  from: 'inputs i',
  where: `i.tenant_id = t.tenant_id AND i.task_id = t.id AND i.status = 'answered'`,
  key: 'i.id',
  first: 'newest',
  json: `json_build_object('input_id', i.id, 'kind', i.kind, 'prompt', i.prompt, 'answer', i.answer ->> 'answer',
    'content', i.answer -> 'content', 'decision', i.answer ->> 'decision', 'comment', i.answer ->> 'comment')`,
  maxRows: maxShownEntries,
  maxBytes: maxShownBytes,
  hasOne: true,
});

const contextSql = `
  SELECT t.id, t.checkpoint, ${artifactsSql('t.id')} AS artifacts,
    ${claimsSql('t.tenant_id', 't.id')} AS attempt,
    (SELECT json_build_object('from', actor, 'summary', data ->> 'summary') FROM task_timeline
      WHERE tenant_id = t.tenant_id AND task_id = t.id AND kind = 'handoff' ORDER BY seq DESC LIMIT 1) AS handoff,
    ${answersSql} -> 'rows' AS answers,
    (SELECT json_build_object('task_id', p.id, 'title', p.title, 'summary', p.result ->> 'summary',
        'result', p.result -> 'result', 'artifacts', ${artifactsSql('p.id')})
      FROM tasks p WHERE p.tenant_id = t.tenant_id AND p.id = t.review_of) AS parent,
    ${pendingSql('t.tenant_id', 't.id', 't.lease_id')} AS directives
  FROM tasks t WHERE t.tenant_id = $1 AND t.id = ANY ($2)`;

type Known = Pick<ClaimContext, 'checkpoint' | 'artifacts' | 'attempt' | 'handoff' | 'answers' | 'parent'>;

export type FoundContext = { known: Known; directives: Directive[] };

/** What is known with claims of tasks that were touched before, by task. */
export async function findClaimContexts(
  { db, tenantId }: DbScope,
  taskIds: readonly string[],
): Promise<Map<string, FoundContext>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db.query<Known & { id: string; directives: DirectiveRow[] }>(contextSql, [tenantId, taskIds]);
  return new Map(rows.map(({ id, directives, ...known }) => [id, { known, directives: directives.map(toDirective) }]));
}
