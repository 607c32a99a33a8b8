import { queryOptions } from '@tanstack/react-query';
import { api, read, readVersion, type Schemas, type Versioned } from '../api/client.ts';
import type { CursorPage, PageSource } from '../resources/use-cursor-pages.ts';

export type Profile = Schemas['Profile'];
export type ProfileSummary = Schemas['ProfileSummary'];

/** A profile as it was read, and the version that a change of it names. */
export type ReadProfile = Versioned<Profile>;

const ofProfile = (id: string) => ({ params: { path: { profile_id: id } } });

export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: ['profiles', 'one', id],
    queryFn: ({ signal }) => readVersion(api.GET('/v1/profiles/{profile_id}', { ...ofProfile(id), signal })),
  });

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['profiles', 'versions', id],
    queryFn: ({ signal }) => read(api.GET('/v1/profiles/{profile_id}/versions', { ...ofProfile(id), signal })),
  });

export const profilePages: PageSource<ProfileSummary> = {
  queryKey: ['profiles', 'list'],
  read: async (after, signal) => {
    const query = { sort: 'name' as const, limit: 100, after };
    return (await read(api.GET('/v1/profiles', { params: { query }, signal }))) as CursorPage<ProfileSummary>;
  },
};
