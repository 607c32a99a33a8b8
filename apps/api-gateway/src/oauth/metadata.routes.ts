import { scopes } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { oauthPaths } from './paths.ts';

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none'];

/** What the authorization server is and offers (RFC 8414). */
export const metadataRoute = (baseUrl: string): Route =>
  defineRoute({
    method: 'GET',
    path: oauthPaths.metadata,
    summary: 'What the authorization server offers (RFC 8414)',
    tags: ['OAuth'],
    access: 'public',
    isDocumented: false,
    responses: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
    errors: [],
    handler: async () => ({ status: 200, body: metadataOf(baseUrl) }),
  });

/** What the endpoint of the Model Context Protocol is as a protected resource, and who gives tokens for it (RFC 9728). */
export const resourceMetadataRoutes = (baseUrl: string): Route[] =>
  ['', oauthPaths.resource].map((of) =>
    defineRoute({
      method: 'GET',
      path: `${oauthPaths.resourceMetadata}${of}`,
      summary: 'What the service is as a protected resource (RFC 9728)',
      tags: ['OAuth'],
      access: 'public',
      isDocumented: false,
      responses: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
      errors: [],
      handler: async () => ({ status: 200, body: resourceMetadataOf(baseUrl, of) }),
    }),
  );

const resourceMetadataOf = (baseUrl: string, path: string): Record<string, unknown> => ({
  resource: baseUrl + path,
  resource_name: 'Engineering Agent Service',
  authorization_servers: [baseUrl],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/docs`,
});

const metadataOf = (baseUrl: string): Record<string, unknown> => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + oauthPaths.authorization,
  token_endpoint: baseUrl + oauthPaths.token,
  revocation_endpoint: baseUrl + oauthPaths.revocation,
  introspection_endpoint: baseUrl + oauthPaths.introspection,
  registration_endpoint: baseUrl + oauthPaths.registration,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientMethods,
  revocation_endpoint_auth_methods_supported: clientMethods,
  introspection_endpoint_auth_methods_supported: clientMethods,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${baseUrl}/docs`,
});
