import type { UseCaseContext } from '@eas/db';
import {
  archiveProject as archive,
  changeProject as change,
  createProject as create,
  type ProjectChange,
  type RepositoryRules,
  unarchiveProject as unarchive,
} from '@eas/tasks';
import { audited } from './audited.ts';

// Commands of projects run on the machines of agents, so the log says who set them.

export const createProject = (
  ctx: UseCaseContext,
  body: Parameters<typeof create>[1],
  rules: RepositoryRules,
): ReturnType<typeof create> =>
  audited(
    ctx,
    (inner) => create(inner, body, rules),
    ({ body: { id, name, repositories } }) => ({ action: 'project.created', target: id, data: { name, repositories } }),
  );

type Shown = Omit<ProjectChange, 'isChanged'>;
const shownOf = ({ body, version }: ProjectChange): Shown => ({ body, version });

/** A patch that changes nothing leaves no entry. */
export const changeProject = async (
  ctx: UseCaseContext,
  patch: Parameters<typeof change>[1],
  rules: RepositoryRules,
): Promise<Shown> => {
  const { description: _description, ...data } = patch.body;
  return shownOf(
    await audited(
      ctx,
      (inner) => change(inner, patch, rules),
      ({ isChanged }) => (isChanged ? { action: 'project.changed', target: patch.projectId, data } : undefined),
    ),
  );
};

const archiving =
  (work: typeof archive, action: 'project.archived' | 'project.unarchived') =>
  async (ctx: UseCaseContext, projectId: string): Promise<Shown> =>
    shownOf(
      await audited(
        ctx,
        (inner) => work(inner, projectId),
        ({ isChanged }) => (isChanged ? { action, target: projectId } : undefined),
      ),
    );

export const archiveProject = archiving(archive, 'project.archived');
export const unarchiveProject = archiving(unarchive, 'project.unarchived');
