import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, read, type Schemas } from '../../api/client.ts';
import { type ListPage, readOn } from '../../api/read-on.ts';
import { useMay } from '../../api/session.ts';

const profilesQuery = queryOptions({
  queryKey: ['profiles', 'names'],
  queryFn: ({ signal }) =>
    readOn(async (after) => {
      const query = { limit: 100, sort: 'name' as const, after };
      return (await read(api.GET('/v1/profiles', { params: { query }, signal }))) as ListPage<
        Schemas['ProfileSummary']
      >;
    }),
});

/** A link to a profile by its name; its ID for people who may not read profiles. */
export function ProfileLink({ id }: { id: string }) {
  const { data } = useQuery({ ...profilesQuery, enabled: useMay('tasks:read') });
  return (
    <Link to="/profiles/$profileId" params={{ profileId: id }} data-opens-page dir="auto">
      {data?.data.find((profile) => profile.id === id)?.name ?? id}
    </Link>
  );
}
