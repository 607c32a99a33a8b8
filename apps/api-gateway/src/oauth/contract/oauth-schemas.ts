// Bodies of the authorization server, as RFC 6749, 7009, 7662, 7591, 8414 and 9728 name their fields.
import { z } from 'zod';

const text = (max: number, description: string) => z.string().max(max).describe(description);
const words = (description: string) => z.array(z.string().max(64)).max(100).describe(description);
const seconds = (description: string) => z.int().min(0).max(9_999_999_999).describe(description);
const uri = (description: string) => text(2_048, description);

const clientFields = {
  client_id: text(64, 'ID of the client, unless HTTP Basic has it.').optional(),
  client_secret: text(500, 'Secret of the client, unless HTTP Basic has it. Public clients have none.').optional(),
};

export const oauthError = z
  .object({
    error: text(64, 'The error code of the RFC.'),
    error_description: text(2_000, 'What went wrong, for developers.').optional(),
  })
  .meta({ id: 'OauthError', description: 'The error body of RFC 6749, section 5.2.' });

export const tokenRequest = z
  .object({
    grant_type: z.enum(['authorization_code', 'refresh_token']).describe('What is exchanged for tokens.'),
    code: text(500, 'With authorization_code: the code.').optional(),
    redirect_uri: uri('With authorization_code: the address that the code came to.').optional(),
    code_verifier: text(128, 'With authorization_code: the PKCE verifier. Required for public clients.').optional(),
    refresh_token: text(500, 'With refresh_token: the token. The response has its successor.').optional(),
    scope: text(1_000, 'With refresh_token: fewer scopes than before, separated by spaces.').optional(),
    ...clientFields,
  })
  .meta({
    id: 'TokenRequest',
    description: 'A code or a refresh token to exchange.',
    example: {
      grant_type: 'authorization_code',
      code: 'a-code',
      redirect_uri: 'https://app.example.com/callback',
      client_id: 'app',
      client_secret: 'a-secret-of-the-client',
    },
  });

export const tokenResponse = z
  .object({
    access_token: text(500, 'Send it as `Authorization: Bearer`.'),
    token_type: text(16, 'Bearer.'),
    expires_in: seconds('Seconds for which the access token is valid.'),
    refresh_token: text(500, 'Gives the next access token; each use replaces it.'),
    scope: text(1_000, 'The scopes that were granted, separated by spaces.'),
  })
  .meta({
    id: 'TokenResponse',
    description: 'An access token and what renews it.',
    example: {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: 'a-refresh-token',
      scope: 'tasks:read',
    },
  });

export const tokenOfClient = z
  .object({
    token: text(500, 'An access or refresh token of the client.'),
    token_type_hint: text(32, 'access_token or refresh_token: which one it is.').optional(),
    ...clientFields,
  })
  .meta({
    id: 'TokenOfClient',
    description: 'A token, and the client that it was given to.',
    example: { token: 'an-access-token', client_id: 'app', client_secret: 'a-secret-of-the-client' },
  });

export const introspection = z
  .object({
    active: z.boolean().describe('Whether the token is valid. If not, the response says nothing else.'),
    scope: text(1_000, 'Its scopes, separated by spaces.').optional(),
    client_id: text(64, 'The client that it was given to.').optional(),
    token_type: text(16, 'Bearer, for access tokens.').optional(),
    sub: text(64, 'The person who gave consent.').optional(),
    iss: uri('The authorization server.').optional(),
    iat: seconds('When it was given, in Unix seconds.').optional(),
    exp: seconds('When it expires, in Unix seconds.').optional(),
  })
  .meta({
    id: 'TokenIntrospection',
    description: 'What a token stands for (RFC 7662).',
    example: { active: true, scope: 'tasks:read', client_id: 'app', token_type: 'Bearer' },
  });

export const clientMetadata = z
  .looseObject({
    redirect_uris: z.array(z.string().max(2_000)).min(1).max(20).describe('Where codes may be sent to.'),
    client_name: text(100, 'Name that people see. Default: `An application`.').optional(),
  })
  .meta({
    id: 'ClientRegistration',
    description: 'What a program says of itself (RFC 7591). Other fields are ignored.',
    example: { client_name: 'A model client', redirect_uris: ['http://127.0.0.1:9000/callback'] },
  });

export const registeredClient = z
  .object({
    client_id: text(64, 'ID of the client.'),
    client_id_issued_at: seconds('When it was registered, in Unix seconds.'),
    client_name: text(100, 'Its name.'),
    redirect_uris: z.array(z.string().max(2_000)).max(20).describe('Where codes may be sent to.'),
    token_endpoint_auth_method: text(64, 'none: the client is public and has no secret.'),
    grant_types: words('Grants that it can use.'),
    response_types: words('Response types that it can use.'),
  })
  .meta({
    id: 'RegisteredClient',
    description: 'A program that registered itself.',
    example: {
      client_id: 'oac_01ks0000000000000000000000',
      client_id_issued_at: 1_795_000_000,
      client_name: 'A model client',
      redirect_uris: ['http://127.0.0.1:9000/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  });

const anyMetadata = z.record(z.string().max(100), z.unknown());

export const serverMetadata = anyMetadata.meta({
  id: 'AuthorizationServerMetadata',
  description: 'The fields of RFC 8414.',
  example: { issuer: 'https://eas.example.com', token_endpoint: 'https://eas.example.com/oauth/token' },
});
export const resourceMetadata = anyMetadata.meta({
  id: 'ProtectedResourceMetadata',
  description: 'The fields of RFC 9728.',
  example: { resource: 'https://eas.example.com', authorization_servers: ['https://eas.example.com'] },
});

export const authorizationQuery = z.object({
  response_type: z.literal('code').describe('Always code.'),
  client_id: text(64, 'ID of the client.'),
  redirect_uri: uri('Where the code is sent: one of the addresses of the client, exactly.'),
  scope: text(1_000, 'The scopes that are asked for, separated by spaces. Default: all.').optional(),
  state: text(2_048, 'Comes back with the code.').optional(),
  code_challenge: text(128, 'PKCE challenge. Required for public clients.').optional(),
  code_challenge_method: z.literal('S256').optional().describe('Always S256.'),
  prompt: text(32, 'consent: ask the person again.').optional(),
});
