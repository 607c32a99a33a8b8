import { readinessResponse } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';

type Readiness = { isReady: boolean; checks: Record<string, string> };

/** What anybody may ask: whether the service is ready. `check` asks this process and its peers. */
export const systemRoutes = (check: () => Promise<Readiness>): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the service is ready',
    tags: ['System'],
    access: 'public',
    responses: {
      200: { description: 'All parts work.', schema: readinessResponse },
      503: { description: 'Some part does not.', schema: readinessResponse },
    },
    errors: [],
    handler: async () => {
      const { isReady, checks } = await check();
      const body = { status: isReady ? 'ready' : 'not_ready', checks } as const;
      return isReady ? { status: 200, body } : { status: 503, body };
    },
  }),
];

/** The contract of all other routes. */
export const openApiRoute = (document: object): Route =>
  defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This contract as OpenAPI 3.1',
    tags: ['System'],
    access: 'public',
    responses: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
    errors: [],
    handler: async () => ({ status: 200, body: document as Record<string, unknown> }),
  });
