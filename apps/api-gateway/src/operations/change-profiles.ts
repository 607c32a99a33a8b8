import type { UseCaseContext } from '@eas/db';
import {
  changeProfile as change,
  createProfile as create,
  type ProfileChange,
  removeProfile as remove,
} from '@eas/tasks';
import { audited } from './audited.ts';

// Checks and MCP servers of profiles run on the machines of agents, so the log says who set them.

export const createProfile = (ctx: UseCaseContext, body: Parameters<typeof create>[1]): ReturnType<typeof create> =>
  audited(
    ctx,
    (inner) => create(inner, body),
    ({ body: { id, name, version } }) => ({ action: 'profile.created', target: id, data: { name, version } }),
  );

/** A patch that changes nothing leaves no entry. The settings are stored with the version. */
export async function changeProfile(
  ctx: UseCaseContext,
  patch: Parameters<typeof change>[1],
): Promise<Omit<ProfileChange, 'isChanged'>> {
  const { body, version } = await audited(
    ctx,
    (inner) => change(inner, patch),
    ({ isChanged, version: now }) => {
      const data = { version: now, changed: Object.keys(patch.body) };
      return isChanged ? { action: 'profile.changed', target: patch.profileId, data } : undefined;
    },
  );
  return { body, version };
}

export const removeProfile = (ctx: UseCaseContext, input: Parameters<typeof remove>[1]): Promise<void> =>
  audited(
    ctx,
    (inner) => remove(inner, input),
    () => ({ action: 'profile.deleted', target: input.profileId }),
  );
