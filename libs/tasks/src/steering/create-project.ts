import type { CreateProjectBody, ProjectResource } from '@eas/contracts';
import { idTimeMs, newId } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { shownProject } from '../records/projects/project.ts';
import { assertBelowProjectLimit, assertNameIsFree, insertProject } from '../records/projects/project.store.ts';
import { assertAllowed, type RepositoryRules } from '../records/projects/url-rules.ts';

/**
 * Makes a project. Throws invalid_input for a repository that this installation does not allow, conflict `exists` for a
 * name that is taken, conflict `limit` when the tenant has too many.
 */
export async function createProject(
  ctx: UseCaseContext,
  { max_rework_rounds: maxReworkRounds, ...body }: CreateProjectBody,
  rules: RepositoryRules,
): Promise<{ body: ProjectResource; version: number }> {
  assertAllowed(body.repositories, rules);
  const id = newId('project', ctx.clock.now().getTime());
  const createdAt = new Date(idTimeMs(id));
  const project = { ...body, maxReworkRounds, id, version: 1, createdAt, updatedAt: createdAt, archivedAt: null };
  await ctx.inTransaction(async (tx) => {
    await assertBelowProjectLimit(tx, ctx.limits.projects);
    await assertNameIsFree(tx, project);
    await insertProject(tx, project);
  });
  return shownProject(project);
}
