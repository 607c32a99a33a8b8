import { errorResponse } from '@eas/contracts';
import type { DescribedOperation } from '@eas/http';
import type { z } from 'zod';
import { oauthPaths } from '../paths.ts';
import {
  authorizationQuery,
  clientMetadata,
  introspection,
  oauthError,
  registeredClient,
  resourceMetadata,
  serverMetadata,
  tokenOfClient,
  tokenRequest,
  tokenResponse,
} from './oauth-schemas.ts';

/** Client authentication in addition to the fields of the form. */
export const clientSecurity = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'ID and secret of an OAuth client (RFC 6749, section 2.3.1).',
  },
};

const tag = 'OAuth';
const errorOf = (description: string, error: string, message: string) => ({
  description,
  schema: oauthError,
  examples: { [error]: { error, error_description: message } },
});

const tooMany = {
  ...errorOf('Too many requests.', 'temporarily_unavailable', 'Try again in 60 s.'),
  headers: ['Retry-After'],
} as const;
const failures = {
  500: errorOf('Something went wrong.', 'server_error', 'Something went wrong.'),
  503: errorOf('The service is temporarily unavailable.', 'temporarily_unavailable', 'Try again in 1 s.'),
};
const invalidClient = {
  ...errorOf('The client is unknown or its secret is wrong.', 'invalid_client', 'client authentication failed'),
  headers: ['WWW-Authenticate'],
} as const;

const unknownQuery = { code: 'invalid_request', message: 'nonsense is not a parameter.' };

const call = (
  operation: Pick<DescribedOperation, 'path' | 'operationId' | 'summary' | 'description'>,
  body: z.ZodType,
  done: { description: string; schema?: z.ZodType },
): DescribedOperation => ({
  ...operation,
  tag,
  method: 'post',
  description: [...operation.description, 'Requires the ID and secret of a client, as HTTP Basic or in the form.'],
  // A public client, and one that sends its secret in the form, has no header.
  security: [{ basic: [] }, {}],
  bodies: [{ type: 'application/x-www-form-urlencoded', schema: body }],
  responses: {
    200: done,
    400: errorOf('The request is refused.', 'invalid_grant', 'grant request is invalid'),
    401: invalidClient,
    429: tooMany,
    ...failures,
  },
});

const metadata = (path: string, operationId: string, summary: string, schema: z.ZodType): DescribedOperation => ({
  path,
  operationId,
  summary,
  method: 'get',
  tag,
  description: ['What clients read to find the endpoints and what they offer.', 'Requires no credential.'],
  security: [],
  responses: {
    200: { description: 'The document.', schema },
    400: {
      description: 'A query parameter is not known.',
      schema: errorResponse,
      examples: {
        invalid_request: { error: { ...unknownQuery, details: {}, request_id: 'req_01ks0000000000000000000000' } },
      },
    },
  },
});

/** Everything of the authorization server that a client uses. A library serves most of it. */
export const oauthOperations: readonly DescribedOperation[] = [
  {
    method: 'get',
    path: oauthPaths.authorization,
    operationId: 'startAuthorization',
    summary: 'Start an authorization',
    tag,
    description: [
      'Open this address in a browser. The person signs in and consents; the browser then goes to `redirect_uri` with `code` and `state`, or with `error`.',
      'Requires no credential.',
    ],
    security: [],
    query: authorizationQuery,
    responses: {
      303: { description: 'To the page of consent, or back to the client.', headers: ['Location'] },
      400: { description: 'The client or its address is unknown.', isPage: true },
      429: { description: 'Too many requests.', isPage: true, headers: ['Retry-After'] },
    },
  },
  call(
    {
      path: oauthPaths.token,
      operationId: 'createToken',
      summary: 'Exchange a code for tokens',
      description: ['Gives an access token for a code (60 seconds, once) or for a refresh token (30 days).'],
    },
    tokenRequest,
    { description: 'The tokens.', schema: tokenResponse },
  ),
  call(
    {
      path: oauthPaths.revocation,
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description: ['Ends a token and what it renews (RFC 7009). An unknown token is no error.'],
    },
    tokenOfClient,
    { description: 'The token is not valid, or not any more.' },
  ),
  call(
    {
      path: oauthPaths.introspection,
      operationId: 'introspectToken',
      summary: 'Introspect a token',
      description: ['Tells a client about its own token (RFC 7662).'],
    },
    tokenOfClient,
    { description: 'What the token stands for.', schema: introspection },
  ),
  {
    method: 'post',
    path: oauthPaths.registration,
    operationId: 'registerClient',
    summary: 'Register a client',
    tag,
    description: [
      'A program registers itself as a public client (RFC 7591). It is forgotten after a day in which no one signs in for it.',
      'Requires no credential.',
    ],
    security: [],
    bodies: [{ type: 'application/json', schema: clientMetadata }],
    responses: {
      201: { description: 'The client.', schema: registeredClient },
      400: errorOf('The metadata is refused.', 'invalid_redirect_uri', 'redirect_uris must be https or loopback.'),
      409: errorOf('Too many clients wait for a person.', 'invalid_request', 'Too many clients are registered.'),
      413: errorOf('The body is too large.', 'invalid_request', 'The body is too large.'),
      415: errorOf('The body is not JSON.', 'invalid_request', 'The body must be application/json.'),
      429: tooMany,
      ...failures,
    },
  },
  metadata(oauthPaths.metadata, 'getAuthorizationServer', 'Get the authorization server', serverMetadata),
  metadata(oauthPaths.resourceMetadata, 'getProtectedResource', 'Get the protected resource', resourceMetadata),
];
