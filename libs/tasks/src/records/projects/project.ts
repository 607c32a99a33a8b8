import type { ProjectDefaults, ProjectResource, Repository } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';

export type Project = {
  id: string;
  name: string;
  description: string | null;
  repositories: Repository[];
  defaults: ProjectDefaults;
  /** How often the work on a task is sent back before a person decides. */
  maxReworkRounds: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Since when no new task can have it. */
  archivedAt: Date | null;
};

export function toProjectResource(project: Project): ProjectResource {
  const { id, name, description, repositories, defaults, version, createdAt, updatedAt, archivedAt } = project;
  return {
    id,
    name,
    description,
    repositories,
    defaults,
    max_rework_rounds: project.maxReworkRounds,
    version,
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
    archived_at: archivedAt && formatTimestamp(archivedAt),
  };
}

/** As it is read alone, with the version that its ETag names. */
export const shownProject = (project: Project): { body: ProjectResource; version: number } => ({
  body: toProjectResource(project),
  version: project.version,
});

/** A project as it is now; not `isChanged`: as it was before. */
export type ProjectChange = ReturnType<typeof shownProject> & { isChanged: boolean };

export const noSuchProject = (): AppError => new AppError('not_found', { message: 'The project does not exist.' });
