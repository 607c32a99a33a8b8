import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { events } from '@eas/contracts';
import { z } from 'zod';
import { errorResponses } from './open-api-errors.ts';
import type { Route } from '../route.ts';

/** The head of an OpenAPI document. */
export type OpenApiInfo = { title: string; version: string; description?: string; serverUrl?: string };

type Registered = Parameters<OpenAPIRegistry['registerPath']>[0];
type Answers = Registered['responses'];

/** Prints the OpenAPI 3.1 document of the routes, with the public events as its webhooks. */
export function printOpenApi(routes: readonly Route[], { serverUrl, ...info }: OpenApiInfo) {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', { type: 'apiKey', in: 'header', name: 'X-API-Key' });
  for (const route of routes) registry.registerPath(pathOf(route));
  for (const [type, { visibility, data }] of Object.entries(events))
    if (visibility === 'public') registry.registerWebhook(webhookOf(type, data));
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info,
    ...(serverUrl ? { servers: [{ url: serverUrl }] } : {}),
    tags: [...new Set(routes.flatMap(({ tags }) => tags))].map((name) => ({ name })),
  });
}

function pathOf(route: Route): Registered {
  const { method, path, summary, tags, scopes, body } = route;
  const isReceiver = typeof route.access === 'object' && 'signature' in route.access;
  const content = isReceiver ? z.record(z.string().max(1_000), z.unknown()) : body;
  return {
    method: method.toLowerCase() as Registered['method'],
    path,
    operationId: operationIdOf(route),
    summary,
    tags: [...tags],
    ...(scopes.length > 0 ? { security: [{ apiKey: [] }], description: scopeText(route) } : { security: [] }),
    request: {
      ...(route.params ? { params: route.params } : {}),
      ...(route.query ? { query: route.query } : {}),
      ...(route.isIdempotent ? { headers: idempotencyHeaders } : {}),
      ...(content ? { body: { required: true, content: { 'application/json': { schema: content } } } } : {}),
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

const scopeText = ({ scopes }: Route) => `Needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;

/** "POST /v1/tasks/{task_id}/retry" → postTasksByTaskIdRetry. */
function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/^\/v1\//, '')
    .replace(/\{([^}]+)\}/g, 'by_$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return [method.toLowerCase(), ...words.map((word) => word[0]?.toUpperCase() + word.slice(1))].join('');
}

const rateLimitHeaders = {
  'X-RateLimit-Limit': 'Requests allowed in the window.',
  'X-RateLimit-Remaining': 'Requests left in the window.',
  'X-RateLimit-Reset': 'Unix seconds at which the window ends.',
};

function answersOf(route: Route): Answers {
  const common = { 'X-Request-Id': 'Names the request.', ...(route.scopes.length > 0 ? rateLimitHeaders : {}) };
  const answers: Answers = {};
  for (const [status, { description, schema, headers }] of Object.entries(route.responses))
    answers[status] = {
      description,
      headers: headersOf({ ...common, ...headers }),
      ...(schema ? { content: { 'application/json': { schema } } } : {}),
    };
  for (const { status, description, schema, examples } of errorResponses(route))
    answers[String(status)] = {
      description,
      headers: headersOf({ 'X-Request-Id': common['X-Request-Id'] }),
      content: { 'application/json': { schema, examples } },
    };
  return answers;
}

function headersOf(headers: Record<string, string>) {
  const schema = { type: 'string' as const, maxLength: 2_048 };
  return Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, { description, schema }]));
}

function webhookOf(type: string, data: z.ZodType): Registered {
  const payload = z.object({
    event_type: z.literal(type),
    event_id: z.string().max(64),
    timestamp: z.iso.datetime().max(24),
    data,
  });
  return {
    method: 'post',
    path: type,
    summary: `Sent for ${type}`,
    security: [],
    request: { body: { required: true, content: { 'application/json': { schema: payload } } } },
    responses: { '200': { description: 'Any 2xx status accepts the delivery.' } },
  };
}
