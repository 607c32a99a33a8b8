import { queryOptions } from '@tanstack/react-query';
import { api, read } from '../../api/client.ts';

/** The first hundred. */
export const integrationsQuery = queryOptions({
  queryKey: ['integrations', 'first'],
  queryFn: ({ signal }) => read(api.GET('/v1/integrations', { params: { query: { limit: 100 } }, signal })),
});
