import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { scopeMeanings } from '@eas/contracts';
import { z } from 'zod';
import { type Route, takesIfMatch } from '../route.ts';
import { allowNulls } from './allow-nulls.ts';
import { describeParameters } from './describe-parameters.ts';
import { documentedBody } from './documented-body.ts';
import { errorResponses } from './open-api-errors.ts';
import { maxIfMatchLength } from '../reading/if-match.ts';
import { answerHeaders, errorHeaders, headerComponents } from './open-api-headers.ts';
import { webhooks } from './open-api-webhooks.ts';

/** The head of an OpenAPI document. */
export type OpenApiInfo = {
  title: string;
  version: string;
  summary?: string;
  description?: string;
  license?: { name: string; url: string };
  contact?: { name: string; url: string };
  serverUrl?: string;
  /** Name of the cookie that a person's session comes with. */
  sessionCookie?: string;
  /** What each tag is about. */
  tags?: Readonly<Record<string, string>>;
};

type Registered = Parameters<OpenAPIRegistry['registerPath']>[0];
type Answers = Registered['responses'];

/** Prints the OpenAPI 3.1 document of the routes, with the public events as its webhooks. */
export function printOpenApi(routes: readonly Route[], { serverUrl, tags = {}, sessionCookie, ...info }: OpenApiInfo) {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', apiKeyScheme);
  registry.registerComponent('securitySchemes', 'oauth2', oauthScheme(serverUrl));
  if (sessionCookie) registry.registerComponent('securitySchemes', 'session', sessionScheme(sessionCookie));
  for (const [name, header] of headerComponents) registry.registerComponent('headers', name, header);
  const documented = routes.filter(({ isDocumented }) => isDocumented);
  for (const route of documented)
    registry.registerPath({ ...pathOf(route), security: securityOf(route, sessionCookie) });
  for (const webhook of webhooks()) registry.registerWebhook(webhook);
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info,
    ...(serverUrl ? { servers: [{ url: serverUrl, description: 'This service' }] } : {}),
    tags: [...new Set(documented.flatMap((route) => route.tags))].map((name) => ({ name, description: tags[name] })),
  });
  return allowNulls(describeParameters(document));
}

const apiKeyScheme = {
  type: 'apiKey' as const,
  in: 'header' as const,
  name: 'X-API-Key',
  description: 'A key that was made in the admin pages or by POST /admin/api/keys.',
};

function oauthScheme(serverUrl = '') {
  const [authorizationUrl, tokenUrl] = [`${serverUrl}/oauth/authorize`, `${serverUrl}/oauth/token`];
  return {
    type: 'oauth2' as const,
    description: 'Authorization code with PKCE; the token acts for the person who consented.',
    flows: { authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes: scopeMeanings } },
  };
}

const sessionScheme = (name: string) => ({
  type: 'apiKey' as const,
  in: 'cookie' as const,
  name,
  description:
    'A person who signed in. Whatever is not GET needs the csrf_token of the session as X-CSRF-Token as well.',
});

/** Any credential opens a route; of several scopes any one does. */
function securityOf({ scopes, hasCaller }: Route, sessionCookie: string | undefined): Record<string, string[]>[] {
  if (!hasCaller) return [];
  const tokens = scopes.map((scope) => ({ oauth2: [scope] }));
  return [{ apiKey: [] }, ...tokens, ...(sessionCookie ? [{ session: [] }] : [])];
}

function pathOf(route: Route): Registered {
  const { method, path, summary, tags, body, deprecation } = route;
  const isReceiver = typeof route.access === 'object' && 'signature' in route.access;
  const content = isReceiver ? z.record(z.string().max(1_000), z.unknown()) : body && documentedBody(route, body);
  return {
    method: method.toLowerCase() as Registered['method'],
    path,
    operationId: operationIdOf(route),
    summary,
    tags: [...tags],
    description: accessText(route),
    ...(deprecation ? { deprecated: true } : {}),
    request: {
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { query: route.query } : {}),
      headers: z.object({
        ...(route.isIdempotent ? idempotencyHeaders.shape : {}),
        ...(takesIfMatch(route) ? ifMatchHeaders.shape : {}),
        ...(route.isStream ? lastEventIdHeaders.shape : {}),
      }),
      ...(content
        ? { body: { required: isReceiver || !content.safeParse({}).success, content: contentOf(method, content) } }
        : {}),
    },
    responses: answersOf(route),
  };
}

const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same key and body within 24 hours give the first outcome again.'),
});

const ifMatchHeaders = z.object({
  'If-Match': z
    .string()
    .max(maxIfMatchLength)
    .optional()
    .describe('ETags of the versions that may be changed; any other version is answered with 412.'),
});

const lastEventIdHeaders = z.object({
  'Last-Event-ID': z
    .string()
    .max(15)
    .regex(/^\d*$/)
    .optional()
    .describe('The id of the last event that came: the stream goes on after it. Goes before last_event_id.'),
});

/** A PATCH is a merge patch under either name. */
function contentOf(method: string, schema: z.ZodType) {
  const json = { 'application/json': { schema } };
  return method === 'PATCH' ? { ...json, 'application/merge-patch+json': { schema } } : json;
}

function accessText({ scopes, hasCaller, access }: Route): string {
  if (scopes.length > 0) return `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  if (hasCaller) return 'For every caller with a valid credential.';
  return access === 'public' ? 'Needs no credential.' : 'Signed by the sender.';
}

/** "POST /v1/tasks/{task_id}/retry" → postTasksByTaskIdRetry. */
function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/^\/v1\//, '')
    .replace(/\{([^}]+)\}/g, 'by_$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return [method.toLowerCase(), ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join('');
}

const eventStreamSchema = {
  type: 'string' as const,
  description: 'Server-sent events: `id` is the number of an entry, `event` its type, `data` the entry as JSON.',
};

function answersOf(route: Route): Answers {
  const answers: Answers = {};
  for (const [status, { description, schema, stream, headers }] of Object.entries(route.responses))
    answers[status] = {
      description,
      headers: answerHeaders(route, headers, schema !== undefined),
      ...(schema ? { content: { 'application/json': { schema } } } : {}),
      ...(stream ? { content: { 'text/event-stream': { schema: eventStreamSchema } } } : {}),
    };
  for (const { status, description, schema, examples } of errorResponses(route))
    answers[String(status)] = {
      description,
      headers: errorHeaders(route, status),
      content: { 'application/json': { schema, examples } },
    };
  return answers;
}
