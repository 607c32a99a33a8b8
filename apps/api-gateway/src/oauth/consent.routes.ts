import { type Consent, consentFor, getUser } from '@eas/access';
import { type Principal, type Scope, scopeMeanings } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { defineRoute, type RequestFacts, type Route } from '@eas/http';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { z } from 'zod';
import type { Render } from '../pages/render.ts';
import { pagePolicy } from './page-policy.ts';
import { oauthPaths } from './paths.ts';

const path = `${oauthPaths.interaction}/{uid}` as const;
const params = z.object({ uid: z.string().max(64) });
const form = z.object({ decision: z.enum(['allow', 'deny']), scope: z.string().max(1_000) });
const tags = ['OAuth'] as const;
const onward = { description: 'On to where the authorization goes on.' } as const;

export const consentRoutes = ({ provider, render }: { provider: Provider; render: Render }): Route[] => [
  defineRoute({
    method: 'GET',
    path,
    summary: 'The page that asks for consent',
    tags,
    access: { session: [] },
    params,
    responses: { 200: { description: 'The question.', html: true }, 303: onward },
    errors: ['not_found'],
    handler: async (ctx, request) => {
      const asked = await findAsked(provider, request);
      const consent = await consentOf(ctx, asked, request.principal);
      if (!consent) return goOn(provider, request, otherTenant);
      if (consent.scopes.length === 0) return goOn(provider, request, nothingLeft);
      if (consent.isGiven && !asked.mustAsk) return goOn(provider, request, await grant(provider, ctx, consent));
      const { body: person } = await getUser(ctx, ctx.actor.id);
      const view = {
        client: consent.client.name,
        hasRegisteredItself: consent.client.hasRegisteredItself,
        person: `${person.name} (${person.email})`,
        action: `${oauthPaths.interaction}/${request.params.uid}`,
        meanings: consent.scopes.map((scope) => scopeMeanings[scope]),
        scope: consent.scopes.join(' '),
        site: new URL(asked.redirectUri).host || asked.redirectUri,
        csrfToken: request.principal.csrfToken ?? '',
      };
      const body = render('consent', { title: `${consent.client.name} asks for access` }, view);
      return { status: 200, body, headers: { 'Content-Security-Policy': pagePolicy(asked.redirectUri) } };
    },
  }),
  defineRoute({
    method: 'POST',
    path,
    summary: 'Allow or deny',
    tags,
    access: { session: [] },
    params,
    form,
    responses: { 303: onward },
    errors: ['not_found'],
    handler: async (ctx, request) => {
      const { decision, scope } = request.body;
      if (decision === 'deny') return goOn(provider, request, denied);
      const asked = await findAsked(provider, request);
      const consent = await consentOf(ctx, asked, request.principal);
      if (!consent) return goOn(provider, request, otherTenant);
      // A consent never allows more than the page has shown.
      const shown = scope.split(' ');
      const scopes = consent.scopes.filter((one) => shown.includes(one));
      if (scopes.length === 0) return goOn(provider, request, nothingLeft);
      return goOn(provider, request, await grant(provider, ctx, { ...consent, scopes }));
    },
  }),
];

const denied = { error: 'access_denied', error_description: 'The user denied access.' };
const otherTenant = { error: 'access_denied', error_description: 'The user cannot use this client.' };
const nothingLeft = {
  error: 'invalid_scope',
  error_description: 'The client and the user share none of the requested scopes.',
};

type PageRequest = Pick<RequestFacts, 'raw'> & { params: { uid: string }; principal: Principal };
type Asked = { clientId: string; scope: string | undefined; redirectUri: string; mustAsk: boolean };

/** The request of the client. Throws not_found when this browser has no such authorization in progress. */
async function findAsked(provider: Provider, { raw, params: { uid } }: PageRequest): Promise<Asked> {
  const { params: asked } = await interactionOf(provider, raw, uid);
  const { client_id: clientId, scope, redirect_uri: redirectUri, prompt = '' } = asked as Record<string, string>;
  return {
    clientId: `${clientId}`,
    scope,
    redirectUri: `${redirectUri}`,
    mustAsk: prompt.split(' ').includes('consent'),
  };
}

async function interactionOf(provider: Provider, { request, response }: RequestFacts['raw'], uid: string) {
  try {
    const interaction = await provider.interactionDetails(request, response);
    if (interaction.uid === uid) return interaction;
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
  }
  const message =
    'This request for access has expired or was already answered. Go back to the application and start again.';
  throw new AppError('not_found', { message });
}

const consentOf = (ctx: UseCaseContext, { clientId, scope }: Asked, { scopes: own }: Principal) =>
  consentFor(ctx, { clientId, scope, own });

/** Stores what the person allows; each authorization has its own grant, so that misuse revokes only that one. */
async function grant(
  provider: Provider,
  { actor: { id: accountId } }: UseCaseContext,
  { client, scopes }: Pick<Consent, 'client'> & { scopes: readonly Scope[] },
): Promise<InteractionResults> {
  const made = new provider.Grant({ accountId, clientId: client.id });
  made.addOIDCScope(scopes.join(' '));
  return { login: { accountId, remember: false }, consent: { grantId: await made.save() } };
}

/** Reports the decision to the library and sends the browser back to it, on the host that the person uses. */
async function goOn(provider: Provider, { raw, params: { uid } }: PageRequest, result: InteractionResults) {
  await interactionOf(provider, raw, uid);
  await provider.interactionResult(raw.request, raw.response, result);
  return { status: 303, headers: { Location: `${oauthPaths.authorization}/${uid}` } } as const;
}
