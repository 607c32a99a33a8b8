import { endJob, findJob } from '@eas/bulk-jobs';
import type { UseCaseContext } from '@eas/db';
import { applyReadTasks, type ReadTask } from '../applying/apply-read-tasks.ts';
import { type CallOutcome, type OpenAccess, restOf, type TakenCall } from '@eas/platform-calls';
import {
  type ListedTask,
  maxPages,
  moveReconcile,
  nextPage,
  type PlatformClient,
  type PlatformTaskPage,
  readApiTask,
  type Reconcile,
  reconcileKind,
} from '@eas/task-platform';

const noCounts = { seen: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
/** The last moment that the platform can be asked for. */
const endOfTime = 253_402_300_799_999;

/** One step of a reconciliation: finds out the workspace, or reads a page and repairs what differs. */
export async function readPage(
  ctx: UseCaseContext,
  client: PlatformClient,
  call: TakenCall,
  access: OpenAccess,
): Promise<CallOutcome> {
  const job = await findJob(ctx, reconcileKind, call.key);
  if (job?.status !== 'running') return { kind: 'done' };
  const team = access.teamId ?? job.cursor.team;
  if (team === undefined) return findTeam(client, call, job);
  const { after = job.since.getTime(), page = 0, pages = 0 } = job.cursor;
  if (pages >= maxPages) return { kind: 'failed', reason: `the platform lists more than ${maxPages} pages` };
  const before = job.until?.getTime() ?? endOfTime;
  const response = await client.readPage({ team, after, before, page });
  if (response.kind !== 'ok') return { kind: 'response', failure: response, ...restOf(response) };
  const apply = (inside: UseCaseContext) => applyPage(inside, job, response.value);
  if (response.value.isLast) return { kind: 'done', apply, ...restOf(response) };
  return { kind: 'next', payload: call.payload, apply, ...restOf(response) };
}

async function findTeam(client: PlatformClient, call: TakenCall, job: Reconcile): Promise<CallOutcome> {
  const response = await client.readTeams();
  if (response.kind !== 'ok') return { kind: 'response', failure: response, ...restOf(response) };
  const [team, ...others] = response.value;
  if (team === undefined) return { kind: 'failed', reason: 'the token can see no workspace' };
  if (others.length > 0)
    return {
      kind: 'failed',
      reason: `the token can see ${others.length + 1} workspaces: set team_id of the integration`,
    };
  const apply = ({ db, tenantId }: UseCaseContext) =>
    moveReconcile({ db, tenantId }, job.id, { ...noCounts, cursor: { ...job.cursor, team } });
  return { kind: 'next', payload: call.payload, apply, ...restOf(response) };
}

/** What the page repaired and how far the reconciliation came commit together. */
async function applyPage(ctx: UseCaseContext, job: Reconcile, page: PlatformTaskPage): Promise<void> {
  const edge = new Set(job.cursor.edge ?? []);
  const listed: ListedTask[] = [];
  const fresh: ReadTask[] = [];
  let unreadable = page.unreadable;
  for (const task of page.tasks) {
    const reported = await readApiTask(task);
    const at = reported?.datedAt;
    if (at !== undefined) listed.push({ id: task.id, at });
    const isSeen = edge.has(task.id) && at === (job.cursor.after ?? 0) + 1;
    if (!reported) unreadable += 1;
    else if (!isSeen) fresh.push({ externalId: task.id, reported });
  }
  const counts = await applyReadTasks(ctx, job.integrationId, fresh);
  const seen = fresh.length + unreadable;
  const cursor = nextPage(job.cursor, job.since.getTime(), listed);
  await moveReconcile(ctx, job.id, { ...counts, seen, failed: counts.failed + unreadable, cursor });
  if (page.isLast) await endJob(ctx, reconcileKind, job.id, { status: 'completed' });
}
