import type { Page, PageOfItems, ProjectResource } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { pageProjects, type ProjectFilter } from './project-list.read-model.ts';
import { noSuchProject, shownProject, toProjectResource } from './project.ts';
import { findProject } from './project.store.ts';

/** One project. Throws not_found. */
export async function getProject(
  ctx: UseCaseContext,
  projectId: string,
): Promise<{ body: ProjectResource; version: number }> {
  const project = await findProject(ctx, projectId);
  if (!project) throw noSuchProject();
  return shownProject(project);
}

export async function listProjects(
  ctx: UseCaseContext,
  filter: ProjectFilter,
  page: Page,
): Promise<PageOfItems<ProjectResource>> {
  const { items, ...rest } = await pageProjects(ctx, filter, page);
  return { items: items.map(toProjectResource), ...rest };
}
