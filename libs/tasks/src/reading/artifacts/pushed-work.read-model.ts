import { readRepositoryUrl, type Repository } from '@eas/contracts';
import { type DbScope, rowByKeySql } from '@eas/db';

/** A branch with the work on a task, pushed to a repository of the task's project. */
export type PushedWork = {
  taskId: string;
  title: string;
  summary: string | null;
  repository: { host: string; name: string };
  baseBranch: string;
  branch: string;
  sha: string | null;
  checks: { name: string; isPassed: boolean }[];
  change: { files: number; insertions: number; deletions: number } | null;
};

type Found = {
  kind: 'branch' | 'test_report' | 'diff';
  sha: string | null;
  repository: string | null;
  branch: string | null;
  isPushed: boolean;
  checks: { name: string | null; isPassed: boolean }[] | null;
  files: number | null;
  insertions: number | null;
  deletions: number | null;
};
type Row = Pick<PushedWork, 'taskId' | 'title' | 'summary'> & { repositories: Repository[]; found: Found[] | null };

/** Newest artifacts of a task that are read, and checks of one: what agents attach is free-form. */
const [maxFound, maxChecks] = [100, 50];

const number = (field: string) =>
  `CASE WHEN jsonb_typeof(data -> '${field}') = 'number' THEN (data ->> '${field}')::numeric END`;
const list = (field: string) =>
  `jsonb_array_elements(CASE jsonb_typeof(data -> '${field}') WHEN 'array' THEN data -> '${field}' ELSE '[]' END)`;

/** Found by their task, whatever the planner takes the size of the table to be: no index has this order. */
const newestFirst = `id || '' DESC`;

const readSql = `
  SELECT t.id AS "taskId", t.title, t.result ->> 'summary' AS summary, p.repositories, a.found
  FROM unnest($2::text[]) AS wanted (id)
  ${rowByKeySql('t', { from: 'tasks', where: 'tenant_id = $1 AND id = wanted.id' })}
  ${rowByKeySql('p', { from: 'projects', where: 'tenant_id = $1 AND id = t.project_id' })}
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('kind', kind, 'sha', sha, 'repository', data ->> 'repository',
      'branch', data ->> 'branch', 'isPushed', data -> 'pushed' = 'true', 'files', ${number('files_changed')},
      'insertions', ${number('insertions')}, 'deletions', ${number('deletions')}, 'checks', (
        SELECT json_agg(json_build_object('name', left(c ->> 'name', 200), 'isPassed', c -> 'passed' = 'true'))
        FROM (SELECT c FROM ${list('checks')} AS listed (c) LIMIT ${maxChecks}) AS first
      )) ORDER BY id DESC) AS found
    FROM (
      SELECT * FROM artifacts WHERE tenant_id = $1 AND task_id = t.id AND kind IN ('branch', 'test_report', 'diff')
      ORDER BY ${newestFirst} LIMIT ${maxFound}
    ) AS newest
  ) AS a`;

/** Of each task and repository of its project: the newest branch, if that was pushed, with what is known of its commit. */
export async function readPushedWork({ db, tenantId }: DbScope, taskIds: readonly string[]): Promise<PushedWork[]> {
  const rows = await db.query<Row>(readSql, [tenantId, taskIds]);
  return rows.flatMap((row) => row.repositories.flatMap((repository) => workIn(row, repository)));
}

function workIn({ taskId, title, summary, found }: Row, { url, base_branch: baseBranch }: Repository): PushedWork[] {
  const read = readRepositoryUrl(url);
  if (!read.isValid || read.host === null) return [];
  const own = (found ?? []).filter((one) => keyOf(one.repository) === read.key);
  const pushed = own.find(({ kind }) => kind === 'branch');
  if (!pushed?.isPushed || pushed.branch === null) return [];
  const { branch, sha } = pushed;
  const ofCommit = (kind: Found['kind']) => own.find((one) => one.kind === kind && one.sha === sha);
  const { files = null, insertions = null, deletions = null } = ofCommit('diff') ?? {};
  const isCounted = files !== null && insertions !== null && deletions !== null;
  return [
    {
      taskId,
      title,
      summary,
      repository: { host: read.host, name: read.shortName },
      baseBranch,
      branch,
      sha,
      checks: (ofCommit('test_report')?.checks ?? []).map(({ name, isPassed }) => ({ name: name ?? '', isPassed })),
      change: isCounted ? { files, insertions, deletions } : null,
    },
  ];
}

function keyOf(url: string | null): string | undefined {
  const read = url === null ? undefined : readRepositoryUrl(url);
  return read?.isValid ? read.key : undefined;
}
