import { maxProfileVersions, type ProfileSettings } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { settingsOf } from './profile.store.ts';

export type VersionHead = { profileId: string; version: number; createdAt: Date; createdBy: string };

const headFields = { profileId: true, version: true, createdAt: true, createdBy: true } as const;

/** Newest first; none: there is no such profile. */
export const listVersions = ({ db, tenantId }: DbScope, profileId: string): Promise<VersionHead[]> =>
  db.prisma.profileVersion.findMany({
    where: { tenantId, profileId },
    select: headFields,
    orderBy: { version: 'desc' },
    take: maxProfileVersions,
  });

/** The settings as of a version, with the head of the one that brought them: a name or roles change no settings. */
export async function findVersion(
  { db, tenantId }: DbScope,
  { profileId, version }: { profileId: string; version: number },
): Promise<(VersionHead & { settings: ProfileSettings }) | undefined> {
  const select = { ...headFields, settings: true };
  const where = { tenantId, profileId, version: { lte: version }, profile: { version: { gte: version } } };
  const row = await db.prisma.profileVersion.findFirst({ where, select, orderBy: { version: 'desc' } });
  return row ? { ...row, settings: settingsOf(row.settings) } : undefined;
}
