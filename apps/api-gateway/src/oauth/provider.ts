import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { OauthStorage } from '@eas/access';
import { scopes } from '@eas/contracts';
import type { Logger } from '@eas/core';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { createAdapters } from './adapter.ts';
import { pagePolicy } from './page-policy.ts';
import { oauthPaths } from './paths.ts';

/** Lifetimes of codes and tokens, in seconds. */
const lifetimes = { code: 60, accessToken: 3_600, refreshToken: 30 * 86_400, interaction: 1_800 };

export type OauthProviderParts = {
  storage: OauthStorage;
  /** The public URL without a final slash: the issuer. */
  baseUrl: string;
  cookieKeys: readonly string[];
  /** Derives the successors of refresh tokens. */
  successorKey: string;
  renderError: (error: { status: number; message: string; requestId: string }) => string;
  logger: Logger;
};

/** The library that implements OAuth 2.0, restricted to what this service offers and without OpenID Connect. */
export function createProvider(parts: OauthProviderParts): Provider {
  const { storage, baseUrl, logger } = parts;
  const { pathname } = new URL(baseUrl);
  const basePath = pathname === '/' ? '' : pathname;
  const provider: Provider = new Provider(baseUrl, {
    ...fixed,
    adapter: createAdapters(storage),
    jwks: unusedKeys(),
    cookies: {
      keys: [...parts.cookieKeys],
      names: { interaction: 'eas_interaction', resume: 'eas_interaction_resume', session: 'eas_oauth' },
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    interactions: {
      policy: [askAlways()],
      url: (_ctx, { uid }) => `${basePath}${oauthPaths.interaction}/${uid}`,
    },
    loadExistingGrant: (ctx) => grantOfConsent(provider, ctx),
    renderError: (ctx, { error, error_description: description }) => {
      const message = `The request of the application is not valid: ${description ?? error} (${error}).`;
      const requestId = String(ctx.req.headers['x-request-id']);
      ctx.type = 'html';
      ctx.set('Content-Security-Policy', pagePolicy());
      ctx.body = parts.renderError({ status: ctx.status, message, requestId });
    },
  });
  nameSuccessors(provider, parts.successorKey);
  // Scheme and host are the base address's, whatever the request says; see the mount.
  provider.proxy = true;
  provider.on('server_error', (ctx: KoaContextWithOIDC, error: Error) => {
    ctx.state['failure'] = error;
    logger.error({ err: error, request_id: ctx.req.headers['x-request-id'] }, 'OAuth request failed');
  });
  return provider;
}

/**
 * The successor of a refresh token is derived from it and from a key that only gateways have: a repeated request within
 * the overlap gets the same successor from any gateway, without storing it.
 */
function nameSuccessors({ RefreshToken }: Provider, key: string): void {
  const proto = RefreshToken.prototype as unknown as { generateTokenId(): string };
  const { generateTokenId } = proto;
  proto.generateTokenId = function () {
    const { ctx } = Provider as unknown as { ctx?: KoaContextWithOIDC };
    const rotated = ctx?.oidc.entities.RotatedRefreshToken?.jti;
    return rotated === undefined
      ? generateTokenId.call(this)
      : createHmac('sha256', key).update(rotated).digest('base64url');
  };
}

const fixed: Configuration = {
  ttl: {
    AuthorizationCode: lifetimes.code,
    AccessToken: lifetimes.accessToken,
    RefreshToken: lifetimes.refreshToken,
    Grant: lifetimes.refreshToken,
    Interaction: lifetimes.interaction,
    Session: lifetimes.interaction,
    IdToken: lifetimes.code,
  },
  scopes: [...scopes],
  responseTypes: ['code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  pkce: { required: (_ctx, client) => client.tokenEndpointAuthMethod === 'none' },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
  // The owner of a code or token is in its record, which is not found once the person is deleted.
  findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  clientBasedCORS: () => false,
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  routes: {
    authorization: oauthPaths.authorization,
    token: oauthPaths.token,
    revocation: oauthPaths.revocation,
    introspection: oauthPaths.introspection,
  },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    introspection: { enabled: true, allowedPolicy: isOwn },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    revocation: { enabled: true, allowedPolicy: isOwn },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
  },
};

/** A client sees and revokes its own tokens only. */
function isOwn(_ctx: unknown, client: { clientId: string }, token: { clientId?: string | undefined }): boolean {
  return token.clientId === client.clientId;
}

/** The library requires a key for ID tokens, which are never issued. */
function unusedKeys(): Configuration['jwks'] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { keys: [privateKey.export({ format: 'jwk' }) as never] };
}

/** Each authorization goes through our own page, which knows who is signed in and what was allowed before. */
function askAlways() {
  const { Check, Prompt } = interactionPolicy;
  const check = new Check('not_asked', 'the user has not been asked', ({ oidc, query }) => {
    requireKnownScope(query['scope']);
    return !oidc.result?.consent;
  });
  return new Prompt({ name: 'consent', requestable: true }, check);
}

/** The library drops unknown scopes, and to ask for none means to ask for all. */
function requireKnownScope(scope: string | string[] | undefined): void {
  if (typeof scope !== 'string' || scope.trim() === '') return;
  const isKnown = scope.split(' ').some((word) => (scopes as readonly string[]).includes(word));
  if (!isKnown) throw new errors.InvalidScope('none of the scopes exists', scope);
}

/** The grant that the page has made; its scopes are what the client gets. */
async function grantOfConsent(provider: Provider, { oidc }: KoaContextWithOIDC) {
  const grant = await provider.Grant.find(oidc.result?.consent?.grantId ?? '');
  if (grant && oidc.params) oidc.params['scope'] = grant.getOIDCScope();
  return grant;
}
