import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../../api/client.ts';
import { readOnByOffset } from '../../api/read-on.ts';

/** For choosing one. */
export const integrationsQuery = queryOptions({
  queryKey: ['integrations', 'names'],
  queryFn: ({ signal }) =>
    readOnByOffset((offset, limit) => {
      const query = { limit, offset, sort: 'id' as const };
      return read(api.GET('/v1/integrations', { params: { query }, signal }));
    }),
});
