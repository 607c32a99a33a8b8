import { createOauthStorage, type OauthStorage } from '@eas/access';
import { deriveKeys, type Logger, type SecretBox } from '@eas/core';
import type { Database } from '@eas/db';
import type { CallBudget, Mount, Route } from '@eas/http';
import { createRender, createRenderErrorPage } from '../pages/render.ts';
import { consentRoutes } from './consent.routes.ts';
import { cookieKeys } from './cookie-keys.ts';
import { metadataRoute, resourceMetadataRoutes } from './metadata.routes.ts';
import { oauthMount } from './mount.ts';
import { pagePolicy } from './page-policy.ts';
import { oauthPaths } from './paths.ts';
import { createProvider } from './provider.ts';
import { registrationRoutes } from './registration.routes.ts';

export type OauthParts = {
  database: Database;
  secrets: SecretBox;
  encryptionKeys: readonly string[];
  baseUrl: string;
  budget: CallBudget;
  logger: Logger;
};

export type Oauth = {
  mount: Mount;
  routes: readonly Route[];
  /** The Content-Security-Policy of a form after which a browser goes on to that path, if it has one of its own. */
  policyFor(returnTo: string | undefined): Promise<string | undefined>;
};

export function createOauth({ database, secrets, encryptionKeys, ...parts }: OauthParts): Oauth {
  const { baseUrl } = parts;
  const render = createRender(baseUrl);
  const storage = createOauthStorage({ database, secrets });
  const renderError = createRenderErrorPage(render);
  const [successorKey = ''] = deriveKeys(encryptionKeys, 'oauth refresh tokens');
  const keys = { cookieKeys: cookieKeys(encryptionKeys), successorKey };
  const provider = createProvider({ ...parts, ...keys, storage, renderError });
  return {
    mount: oauthMount({ ...parts, storage, provider, renderError }),
    routes: [
      metadataRoute(baseUrl),
      ...resourceMetadataRoutes(baseUrl),
      ...registrationRoutes({ ...parts, storage }),
      ...consentRoutes({ provider, render }),
    ],
    policyFor: (returnTo) => policyFor(storage, returnTo),
  };
}

const interactionPath = new RegExp(`^${oauthPaths.interaction}/([A-Za-z0-9_-]{1,64})$`);

/** After signing in with a client that was allowed before, redirects lead directly to that client. */
async function policyFor(storage: OauthStorage, returnTo = ''): Promise<string | undefined> {
  const uid = interactionPath.exec(returnTo)?.[1];
  const interaction = uid === undefined ? undefined : await storage.find('interaction', uid);
  const { redirect_uri: redirectUri } = (interaction?.payload['params'] ?? {}) as { redirect_uri?: string };
  return redirectUri === undefined ? undefined : pagePolicy(redirectUri);
}
