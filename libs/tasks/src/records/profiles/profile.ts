import type { ProfileResource, ProfileSettings, ProfileSummary } from '@eas/contracts';
import type { Holders } from '../holders.ts';
import { AppError, formatTimestamp } from '@eas/core';

/** A profile as lists show it. */
export type ProfileHead = Holders & {
  id: string;
  name: string;
  description: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

export type Profile = ProfileHead & { settings: ProfileSettings };

export function toProfileSummary({ createdAt, updatedAt, ...head }: ProfileHead): ProfileSummary {
  const { id, name, description, roles, agents, version } = head;
  return {
    id,
    name,
    description,
    roles,
    agents,
    version,
    created_at: formatTimestamp(createdAt),
    updated_at: formatTimestamp(updatedAt),
  };
}

/** As it is read alone, with the version that its ETag names. */
export const shownProfile = (profile: Profile): { body: ProfileResource; version: number } => ({
  body: { ...toProfileSummary(profile), ...profile.settings },
  version: profile.version,
});

/** A profile as it is now; not `isChanged`: as it was before. */
export type ProfileChange = ReturnType<typeof shownProfile> & { isChanged: boolean };

export const noSuchProfile = (): AppError => new AppError('not_found', { message: 'The profile does not exist.' });
