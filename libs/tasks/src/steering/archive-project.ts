import type { UseCaseContext } from '@eas/db';
import { noSuchProject, type ProjectChange, shownProject } from '../records/projects/project.ts';
import {
  assertBelowProjectLimit,
  assertNameIsFree,
  lockProject,
  updateProject,
} from '../records/projects/project.store.ts';

/** No new task can have it, and lists leave it out; tasks that have it keep it. Its version stays. Throws 404. */
export const archiveProject = (ctx: UseCaseContext, projectId: string): Promise<ProjectChange> =>
  setArchived(ctx, { projectId, isArchived: true });

/**
 * New tasks can have it again. Throws 404, conflict `exists` if another project has its name, and conflict `limit` when
 * the tenant has the maximum number of others.
 */
export const unarchiveProject = (ctx: UseCaseContext, projectId: string): Promise<ProjectChange> =>
  setArchived(ctx, { projectId, isArchived: false });

function setArchived(
  ctx: UseCaseContext,
  { projectId, isArchived }: { projectId: string; isArchived: boolean },
): Promise<ProjectChange> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockProject(tx, projectId);
    if (!before) throw noSuchProject();
    if ((before.archivedAt !== null) === isArchived) return { ...shownProject(before), isChanged: false };
    if (!isArchived) {
      await assertBelowProjectLimit(tx, ctx.limits.projects);
      await assertNameIsFree(tx, before);
    }
    const changed = { ...before, archivedAt: isArchived ? ctx.clock.now() : null };
    await updateProject(tx, changed);
    return { ...shownProject(changed), isChanged: true };
  });
}
