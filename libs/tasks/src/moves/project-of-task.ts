import { repositoryNameOf } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { DbScope, UseCaseContext } from '@eas/db';
import {
  type FoundProject,
  matchProjects,
  type ProjectMatch,
  type WantedProject,
} from '../records/projects/project-match.read-model.ts';
import type { Task } from '../records/tasks/task.ts';
import type { FilledTask, NewTask } from './new-task.ts';

/**
 * Runs no statement if a task names neither a project nor a repository. Throws invalid_input for an unknown `project`,
 * conflict `state` for an archived one.
 */
export async function fillFromProject(
  ctx: Pick<UseCaseContext, 'tenantId' | 'gather'>,
  { suggested_project: suggested, ...input }: NewTask,
): Promise<FilledTask> {
  // A review has the project of the reviewed task, but not its defaults.
  const project = input.review_of === undefined ? await projectOfNew(ctx, { ...input, suggested }) : undefined;
  const { priority, assigned_role: role, tags } = project?.defaults ?? {};
  return {
    ...input,
    project: project?.id ?? (input.review_of === undefined ? null : (input.project ?? null)),
    priority: input.priority ?? priority ?? 'medium',
    assigned_role: input.assigned_role ?? role ?? null,
    tags: input.tags ?? tags ?? [],
  };
}

async function projectOfNew(
  { tenantId, gather }: Pick<UseCaseContext, 'tenantId' | 'gather'>,
  { project = null, suggested, metadata }: Pick<NewTask, 'project' | 'metadata'> & { suggested: string | undefined },
): Promise<FoundProject | undefined> {
  const repository = project === null ? (repositoryNameOf(metadata) ?? null) : null;
  const id = project ?? suggested ?? null;
  if (id === null && repository === null) return undefined;
  const { byId, byRepository } = await gather(matchProjects, { tenantId, id, repository });
  if (project !== null) return usable(byId);
  return byId && !byId.isArchived ? byId : byRepository;
}

function usable(project: FoundProject | undefined): FoundProject {
  if (!project)
    throw new AppError('invalid_input', {
      field: 'project',
      constraint: 'format',
      message: 'project must be the id of an existing project.',
    });
  if (!project.isArchived) return project;
  const message = 'An archived project takes no tasks. Unarchive it, or choose another project.';
  throw new AppError('conflict', { field: 'project', constraint: 'state', message });
}

type Changed = { project: string | null | undefined; metadata: Task['metadata'] | undefined };

/**
 * The project of a task after a change; undefined: it keeps the one that it has. null selects the one that its metadata
 * refers to, and so does another repository there, unless the current one was given by its id. Throws as
 * fillFromProject does.
 */
export async function changedProject(
  scope: DbScope,
  task: Task,
  { project, metadata = task.metadata }: Changed,
): Promise<string | null | undefined> {
  if (typeof project === 'string') {
    if (project === task.projectId) return undefined;
    return usable((await match(scope, { id: project, repository: null }))[0]?.byId).id;
  }
  const [before, after] = [repositoryNameOf(task.metadata) ?? null, repositoryNameOf(metadata) ?? null];
  if (before === after && (project === undefined || task.projectId === null)) return undefined;
  const [then, now] = await match(scope, { id: null, repository: before }, { id: null, repository: after });
  const isGiven = task.projectId !== null && task.projectId !== then?.byRepository?.id;
  return project === undefined && isGiven ? undefined : (now?.byRepository?.id ?? null);
}

/**
 * The project of a task after its platform replaces the one that it set before by `to`; undefined: it keeps its
 * project. A project that others set stays, and an unusable one is ignored.
 */
export async function suggestedProject(
  scope: DbScope,
  { projectId }: Pick<Task, 'projectId'>,
  { from, to }: { from: string | null; to: string | null },
): Promise<string | null | undefined> {
  if (projectId !== null && projectId !== from) return undefined;
  const [found] = to === null ? [] : await match(scope, { id: to, repository: null });
  return found?.byId && !found.byId.isArchived ? found.byId.id : null;
}

async function match(
  { db, tenantId }: DbScope,
  ...wanted: Omit<WantedProject, 'tenantId'>[]
): Promise<readonly ProjectMatch[]> {
  const results = await matchProjects(
    db,
    wanted.map((one) => ({ ...one, tenantId })),
  );
  return results.map((result) => (result.ok ? result.value : {}));
}
