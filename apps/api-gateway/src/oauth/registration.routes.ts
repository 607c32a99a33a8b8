import { adoptRegistration, type OauthStorage, redirectUriProblem } from '@eas/access';
import { type CallBudget, defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { oauthPaths } from './paths.ts';

const tags = ['OAuth'] as const;
/** Each registration of a program stores a row, also for an unknown caller. */
const registrationsPerMinute = 10;

/** Of the metadata of RFC 7591 what is used here; everything else is ignored, as it says. */
const metadata = z.object({
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(20),
  client_name: z.string().trim().min(1).max(100).default('An application'),
});

type Refusal = { error: string; error_description: string };

/** Programs register themselves; the first person who signs in for one assigns it to a tenant. */
export const registrationRoutes = (parts: { storage: OauthStorage; budget: CallBudget }): Route[] => {
  const { storage, budget } = parts;
  return [
    defineRoute({
      method: 'POST',
      path: oauthPaths.registration,
      summary: 'A program registers itself (RFC 7591)',
      tags,
      access: 'public',
      isDocumented: false,
      body: z.record(z.string(), z.unknown()),
      responses: {
        201: { description: 'The client.', schema: z.record(z.string(), z.unknown()) },
        400: { description: 'The metadata is refused.', schema: z.record(z.string(), z.unknown()) },
      },
      errors: ['invalid_request', 'rate_limited', 'conflict'],
      handler: async (_ctx, request) => {
        const read = readMetadata(request.body);
        if ('error' in read) return { status: 400, body: read };
        await budget.attemptFrom(request.remoteAddress, 'registrations', registrationsPerMinute);
        const { client_name: name, redirect_uris: redirectUris } = read;
        const { id } = await storage.register({ name, redirectUris });
        const body = {
          client_id: id,
          client_id_issued_at: Math.floor(Date.now() / 1_000),
          client_name: name,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        };
        return { status: 201, body, headers: { 'Cache-Control': 'no-store' } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: oauthPaths.registered,
      summary: 'A person comes for a program that registered itself',
      tags,
      access: { session: [] },
      query: z.object({ authorize: z.string().max(8_000) }),
      responses: { 303: { description: 'On to where the authorization begins.' } },
      errors: ['conflict', 'invalid_input'],
      handler: async (ctx, { query: { authorize } }) => {
        const asked = new URLSearchParams(authorize);
        await adoptRegistration(ctx, asked.get('client_id') ?? '');
        return { status: 303, headers: { Location: `${oauthPaths.authorization}?${asked.toString()}` } };
      },
    }),
  ];
};

/** The path at which a person signs in for the program of an authorization that begins with that query. */
export const registeredPath = (query: string): string =>
  `${oauthPaths.registered}?${new URLSearchParams({ authorize: query }).toString()}`;

function readMetadata(body: unknown): z.output<typeof metadata> | Refusal {
  const read = metadata.safeParse(body);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path[0];
    const error = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    return { error, error_description: `${issue?.path.join('.')}: ${issue?.message}.` };
  }
  for (const [index, uri] of read.data.redirect_uris.entries()) {
    const problem = redirectUriProblem(uri, true);
    if (problem) return { error: 'invalid_redirect_uri', error_description: `redirect_uris.${index} ${problem}.` };
  }
  return read.data;
}
