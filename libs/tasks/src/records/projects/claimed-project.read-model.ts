import { type ClaimedProject, namesOfRepository, type Repository, repositoryNameOf } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import type { Task } from '../tasks/task.ts';
import type { Project } from './project.ts';

const projectsSql = `SELECT id, name, repositories FROM projects WHERE tenant_id = $1 AND id = ANY ($2)`;

type NamedProject = Pick<Project, 'id' | 'name' | 'repositories'>;

/** The projects of tasks, by their ids. No statement where no task has one. */
export async function findProjectsOf(
  { db, tenantId }: DbScope,
  tasks: readonly Pick<Task, 'projectId'>[],
): Promise<ReadonlyMap<string, NamedProject>> {
  const ids = [...new Set(tasks.flatMap(({ projectId }) => projectId ?? []))];
  const rows = ids.length === 0 ? [] : await db.query<NamedProject>(projectsSql, [tenantId, ids]);
  return new Map(rows.map((project) => [project.id, project]));
}

/** The project as the agent of a task gets to know it. Of several repositories that metadata could mean, none is named. */
export function claimedProject(
  { id, name, repositories }: NamedProject,
  { metadata }: Pick<Task, 'metadata'>,
): ClaimedProject {
  const wanted = repositoryNameOf(metadata);
  const meant = repositories.filter(({ url }) => wanted !== undefined && namesOfRepository(url).includes(wanted));
  const isNamed = (repository: Repository) => meant.length === 1 && meant[0] === repository;
  const marked = repositories.map((repository) => ({ ...repository, is_named: isNamed(repository) }));
  return { id, name, repositories: marked.sort((a, b) => Number(b.is_named) - Number(a.is_named)) };
}
