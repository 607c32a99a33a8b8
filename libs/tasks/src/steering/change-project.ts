import { isDeepStrictEqual } from 'node:util';
import { type ChangeProjectBody, defaultReworkRounds, type ProjectDefaults } from '@eas/contracts';
import { assertVersion } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { mergePatch } from '../records/acceptance/merge-patch.ts';
import { noSuchProject, type Project, type ProjectChange, shownProject } from '../records/projects/project.ts';
import { assertNameIsFree, lockProject, updateProject } from '../records/projects/project.store.ts';
import { assertAllowed, type RepositoryRules } from '../records/projects/url-rules.ts';

type Patch = { projectId: string; ifMatch?: readonly number[]; body: ChangeProjectBody };

/** A JSON merge patch; repositories are replaced as a whole. Throws 404, 412, and what createProject throws. */
export async function changeProject(
  ctx: UseCaseContext,
  { projectId, ifMatch, body }: Patch,
  rules: RepositoryRules,
): Promise<ProjectChange> {
  return ctx.inTransaction(async (tx) => {
    const before = await lockProject(tx, projectId);
    if (!before) throw noSuchProject();
    assertVersion(before.version, ifMatch);
    const after = patched(before, body);
    // What was allowed before stays, also where the installation is no longer local.
    if (!isDeepStrictEqual(after.repositories, before.repositories)) assertAllowed(after.repositories, rules);
    if (isDeepStrictEqual(after, before)) return { ...shownProject(before), isChanged: false };
    if (after.name !== before.name && before.archivedAt === null) await assertNameIsFree(tx, after);
    const changed = { ...after, version: before.version + 1, updatedAt: ctx.clock.now() };
    await updateProject(tx, changed);
    return { ...shownProject(changed), isChanged: true };
  });
}

/** null gives a field what a project has that was created without it. */
function patched(project: Project, body: ChangeProjectBody): Project {
  const { name, description, repositories, defaults, max_rework_rounds: rounds } = body;
  return {
    ...project,
    name: name ?? project.name,
    description: description === undefined ? project.description : description,
    repositories: repositories === undefined ? project.repositories : (repositories ?? []),
    defaults: defaults === undefined ? project.defaults : patchedDefaults(project, defaults),
    maxReworkRounds: rounds === undefined ? project.maxReworkRounds : (rounds ?? defaultReworkRounds),
  };
}

const patchedDefaults = ({ defaults }: Project, patch: ChangeProjectBody['defaults']): ProjectDefaults =>
  patch ? mergePatch(defaults, patch) : {};
