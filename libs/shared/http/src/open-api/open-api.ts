import { scopeMeanings } from '@eas/contracts';
import { z } from 'zod';
import { isReceiver, type Route } from '../routes/route.ts';
import { Components } from './components.ts';
import { type DescribedOperation, describedPaths } from './described-operations.ts';
import { errorResponsesOf } from './error-responses.ts';
import { eventWebhooks, receivedTag } from './event-webhooks.ts';
import { parametersOf } from './parameters.ts';
import { requestBodyOf } from './request-bodies.ts';
import { successHeaders } from './response-headers.ts';
import { shareRepeated } from './share-repeated.ts';

export type OpenApiInfo = {
  title: string;
  version: string;
  summary?: string;
  description?: string;
  license?: { name: string; url: string };
  contact?: { name: string; url: string };
  serverUrl?: string;
  sessionCookie?: string;
  /** Operations that are no routes, after those that are. */
  described?: readonly DescribedOperation[];
  /** Ways to authenticate that only these know. */
  ownSecurity?: Readonly<Record<string, object>>;
  /** What each tag is about, in the order in which operations are printed. */
  tags?: Readonly<Record<string, string>>;
};

/** OpenAPI 3.1, with the public events as webhooks. Throws when an operation has no id, or one that another has. */
export function printOpenApi(routes: readonly Route[], head: OpenApiInfo) {
  const { serverUrl, tags = {}, sessionCookie, described = [], ownSecurity = {}, ...info } = head;
  const components = new Components();
  const documented = inTagOrder(
    routes.filter(({ isDocumented }) => isDocumented),
    Object.keys(tags),
  );
  const paths = { ...pathsOf(documented, sessionCookie, components), ...describedPaths(described, components) };
  shareRepeated(paths, components);
  const webhooks = eventWebhooks(components);
  return {
    openapi: '3.1.0',
    info,
    ...(serverUrl ? { servers: [{ url: serverUrl, description: 'This service' }] } : {}),
    tags: [
      ...new Set([...documented.flatMap((route) => route.tags), ...described.map(({ tag }) => tag), receivedTag]),
    ].map((name) => ({
      name,
      description: tags[name],
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: { ...securitySchemes(serverUrl, sessionCookie), ...ownSecurity },
      ...components.toObject(),
    },
  };
}

/** Routes of tags that are not listed come last. */
function inTagOrder(routes: readonly Route[], tags: readonly string[]): Route[] {
  const rankOf = ({ tags: [tag = ''] }: Route): number => (tags.indexOf(tag) + tags.length + 1) % (tags.length + 1);
  return routes.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function pathsOf(routes: readonly Route[], sessionCookie: string | undefined, components: Components) {
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const { method, path, operationId } = route;
    if (!operationId) throw new Error(`${method} ${path} needs an operationId`);
    if (ids.has(operationId)) throw new Error(`${method} ${path}: the operationId ${operationId} is used twice`);
    ids.add(operationId);
    const item = (paths[path] ??= {});
    item[method.toLowerCase()] = operationOf(route, sessionCookie, components);
  }
  return paths;
}

function operationOf(route: Route, sessionCookie: string | undefined, components: Components) {
  const { operationId, summary, description, tags, deprecation } = route;
  const parameters = parametersOf(route, components);
  const requestBody = bodyOf(route, components);
  return {
    operationId,
    summary,
    tags,
    description: [...description, accessText(route)].join('\n\n'),
    ...(deprecation ? { deprecated: true } : {}),
    security: securityOf(route, sessionCookie),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...successResponsesOf(route, components), ...errorResponsesOf(route, components) },
  };
}

/** What a receiver is sent is another's to say. */
const anyBody = z.record(z.string().max(1_000), z.unknown());

function bodyOf(route: Route, components: Components) {
  if (isReceiver(route.access))
    return { required: true, content: { 'application/json': components.mediaType(anyBody) } };
  return route.body && requestBodyOf(route, route.body, components);
}

/** Any credential opens a route; of several scopes any one does. */
function securityOf({ scopes, hasCaller }: Route, sessionCookie: string | undefined): Record<string, string[]>[] {
  if (!hasCaller) return [];
  const tokens = scopes.map((scope) => ({ oauth2: [scope] }));
  return [{ apiKey: [] }, ...tokens, ...(sessionCookie ? [{ session: [] }] : [])];
}

function accessText({ scopes, hasCaller, access }: Route): string {
  if (scopes.length > 0) return `Requires the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
  if (hasCaller) return 'Requires any valid credential.';
  return access === 'public' ? 'Requires no credential.' : 'Signed by the sender.';
}

const eventStream = {
  schema: {
    type: 'string',
    description: 'Server-sent events: `id` is the number of an entry, `event` its type, `data` the entry as JSON.',
  },
  examples: {
    example: {
      value: 'id: 7\nevent: comment\ndata: {"id":"0000000007","type":"comment","content":"Half way."}\n\n',
    },
  },
};

function successResponsesOf(route: Route, components: Components): Record<string, unknown> {
  const responses = Object.entries(route.responses).map(([status, { description, schema, example, ...rest }]) => {
    const headers = successHeaders(route, rest.headers, schema !== undefined, components);
    const json = schema && { 'application/json': components.mediaType(schema, example) };
    const content = json ?? (rest.stream && { 'text/event-stream': eventStream }) ?? csvOf(rest.csv);
    return [status, { description, headers, ...(content ? { content } : {}) }];
  });
  return Object.fromEntries(responses) as Record<string, unknown>;
}

/** A handler gives fewer rows than that needs. */
const maxCsvLength = 16_777_216;

function csvOf(example: string | undefined) {
  if (example === undefined) return undefined;
  const description = 'A table with a line of names, as RFC 4180 has it.';
  const schema = { type: 'string', maxLength: maxCsvLength, description };
  return { 'text/csv': { schema, examples: { example: { value: example } } } };
}

function securitySchemes(serverUrl = '', sessionCookie?: string) {
  const [authorizationUrl, tokenUrl] = [`${serverUrl}/oauth/authorize`, `${serverUrl}/oauth/token`];
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description:
        'An API key, created in the dashboard or with `createApiKey`. One that begins with `eas_` can also be sent as `Authorization: Bearer`.',
    },
    oauth2: {
      type: 'oauth2',
      description: 'Authorization code flow with PKCE. The token acts on behalf of the person who gave consent.',
      flows: { authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes: scopeMeanings } },
    },
    ...(sessionCookie ? { session: sessionScheme(sessionCookie) } : {}),
  };
}

const sessionScheme = (name: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name,
  description:
    'The session of a person who signed in. Requests other than GET must also send the `csrf_token` of the session as `X-CSRF-Token`.',
});
