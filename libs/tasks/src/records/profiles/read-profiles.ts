import type {
  Page,
  PageOfItems,
  ProfileResource,
  ProfileSummary,
  ProfileVersion,
  ProfileVersionSummary,
} from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { findRole } from '../agents/agent.store.ts';
import { type ProfileFilter, pageProfiles } from './profile-list.read-model.ts';
import { findVersion, listVersions, type VersionHead } from './profile-version.read-model.ts';
import { noSuchProfile, shownProfile, toProfileSummary } from './profile.ts';
import { findProfile, findProfileOf } from './profile.store.ts';

type Shown = { body: ProfileResource; version: number };

/** One profile. Throws not_found. */
export async function getProfile(ctx: UseCaseContext, profileId: string): Promise<Shown> {
  const profile = await findProfile(ctx, profileId);
  if (!profile) throw noSuchProfile();
  return shownProfile(profile);
}

/** The profile that an agent works by: its own, else that of its role. Throws not_found where it has none. */
export async function getProfileOfAgent(ctx: UseCaseContext, agentId: string): Promise<Shown> {
  const role = await findRole(ctx, agentId);
  if (role === undefined) throw new AppError('not_found', { message: 'The agent does not exist.' });
  const profile = await findProfileOf(ctx, { agentId, role });
  if (!profile) throw new AppError('not_found', { message: 'Neither the agent nor its role has a profile.' });
  return shownProfile(profile);
}

export async function listProfiles(
  ctx: UseCaseContext,
  filter: ProfileFilter,
  page: Page,
): Promise<PageOfItems<ProfileSummary>> {
  const { items, ...rest } = await pageProfiles(ctx, filter, page);
  return { items: items.map(toProfileSummary), ...rest };
}

const toVersion = ({ profileId, version, createdAt, createdBy }: VersionHead): ProfileVersionSummary => ({
  profile_id: profileId,
  version,
  created_at: formatTimestamp(createdAt),
  created_by: createdBy,
});

/** The versions that are kept, newest first. Throws not_found for an unknown profile. */
export async function listProfileVersions(ctx: UseCaseContext, profileId: string): Promise<ProfileVersionSummary[]> {
  const versions = await listVersions(ctx, profileId);
  if (versions.length === 0) throw noSuchProfile();
  return versions.map(toVersion);
}

/** The settings as of a version. Throws not_found for one that there is not yet, or is kept no longer. */
export async function getProfileVersion(
  ctx: UseCaseContext,
  { profileId, version }: { profileId: string; version: string },
): Promise<ProfileVersion> {
  const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
  const found = await findVersion(ctx, { profileId, version: number });
  const message = 'The profile has no settings of that version. listProfileVersions has those that are kept.';
  if (!found) throw new AppError('not_found', { message });
  return { ...toVersion(found), ...found.settings };
}
