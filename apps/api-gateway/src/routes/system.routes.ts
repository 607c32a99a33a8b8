import { readinessResponse, serviceIndex } from '@eas/contracts';
import { defineRoute, FixedBody, type Route } from '@eas/http';
import type { Readiness } from '@eas/runtime';
import { z } from 'zod';

export type SystemParts = {
  check: () => Promise<Readiness>;
  /** Polls the other processes. They are only shown: this one serves without them. */
  checkPeers: () => Promise<Readiness>;
  /** What clients call, without a final slash. */
  baseUrl: string;
};

const vary = { Vary: 'Accept' };
const toDashboard = { status: 303, headers: { ...vary, Location: '/admin/' } } as const;

const addresses = (baseUrl: string) => ({
  name: 'Engineering Agent Service',
  api: `${baseUrl}/v1`,
  openapi: `${baseUrl}/v1/openapi.json`,
  docs: `${baseUrl}/docs`,
  admin: `${baseUrl}/admin/`,
  mcp: `${baseUrl}/mcp`,
  readiness: `${baseUrl}/readyz`,
});

export const systemRoutes = ({ check, checkPeers, baseUrl }: SystemParts): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/',
    summary: 'List the addresses of the service',
    tags: ['System'],
    access: 'public',
    responses: {
      200: { description: 'The addresses.', schema: serviceIndex },
      303: { description: 'To the dashboard, for browsers.' },
    },
    errors: [],
    handler: async (_ctx, { headers }) => {
      if (headers['accept']?.includes('text/html')) return toDashboard;
      return { status: 200, headers: vary, body: addresses(baseUrl) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/readyz',
    summary: 'Check readiness',
    tags: ['System'],
    access: 'public',
    responses: {
      200: { description: 'The service is ready.', schema: readinessResponse },
      503: { description: 'The service is not ready: see `checks`.', schema: readinessResponse },
    },
    errors: [],
    isLogged: false,
    handler: async () => {
      const [{ isReady, checks }, { checks: peers }] = await Promise.all([check(), checkPeers()]);
      const shown = Object.keys(peers).length > 0 ? { checks, peers } : { checks };
      return isReady
        ? { status: 200, body: { status: 'ready', ...shown } }
        : { status: 503, body: { status: 'not_ready', ...shown } };
    },
  }),
];

export function openApiRoute(document: object): Route {
  const body = new FixedBody(document);
  return defineRoute({
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'Get this contract as OpenAPI 3.1',
    tags: ['System'],
    access: 'public',
    responses: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
    errors: [],
    handler: async () => ({ status: 200, body }),
  });
}
