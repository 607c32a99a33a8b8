import {
  maxProfileVersions,
  type Page,
  type PageOfItems,
  type ProfileResource,
  type ProfileSettings,
  type ProfileSummary,
  type ProfileVersion,
  type ProfileVersionSummary,
} from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type ProfileFilter, pageProfiles } from './profile-list.read-model.ts';
import { noSuchProfile, shownProfile, toProfileSummary } from './profile.ts';
import { findProfile, findProfileOf } from './profile.store.ts';

/** One profile. Throws not_found. */
export async function getProfile(
  ctx: UseCaseContext,
  profileId: string,
): Promise<{ body: ProfileResource; version: number }> {
  const profile = await findProfile(ctx, profileId);
  if (!profile) throw noSuchProfile();
  return shownProfile(profile);
}

/** The profile that an agent works by: its own, else that of its role. Throws not_found where it has none. */
export async function getProfileOfAgent(
  ctx: UseCaseContext,
  agentId: string,
): Promise<{ body: ProfileResource; version: number }> {
  const { db, tenantId } = ctx;
  const agent = await db.prisma.agent.findFirst({
    where: { tenantId, id: agentId, deletedAt: null },
    select: { role: true },
  });
  if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
  const profile = await findProfileOf(ctx, { agentId, role: agent.role });
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

const versionFields = { profileId: true, version: true, createdAt: true, createdBy: true } as const;
type VersionRow = { profileId: string; version: number; createdAt: Date; createdBy: string };

const toVersion = ({ profileId, version, createdAt, createdBy }: VersionRow): ProfileVersionSummary => ({
  profile_id: profileId,
  version,
  created_at: formatTimestamp(createdAt),
  created_by: createdBy,
});

/** The versions that are kept, newest first. Throws not_found for an unknown profile. */
export async function listProfileVersions(ctx: UseCaseContext, profileId: string): Promise<ProfileVersionSummary[]> {
  const { db, tenantId } = ctx;
  const rows = await db.prisma.profileVersion.findMany({
    where: { tenantId, profileId },
    select: versionFields,
    orderBy: { version: 'desc' },
    take: maxProfileVersions,
  });
  if (rows.length === 0) throw noSuchProfile();
  return rows.map(toVersion);
}

/** The settings as of a version. Throws not_found for one that changed none, or is kept no longer. */
export async function getProfileVersion(
  { db, tenantId }: UseCaseContext,
  { profileId, version }: { profileId: string; version: string },
): Promise<ProfileVersion> {
  const where = { tenantId, profileId, version: /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0 };
  const row = await db.prisma.profileVersion.findFirst({ where, select: { ...versionFields, settings: true } });
  const message = 'The profile has no settings of that version. listProfileVersions has those that are kept.';
  if (!row) throw new AppError('not_found', { message });
  return { ...toVersion(row), ...(row.settings as unknown as ProfileSettings) };
}
