import { z } from 'zod';
import type { Components } from './components.ts';
import { type HeaderName, sharedHeaders } from './response-headers.ts';
import { parametersIn } from './parameters.ts';

type Body = { type: 'application/json' | 'application/x-www-form-urlencoded'; schema: z.ZodType };
type Response = {
  description: string;
  schema?: z.ZodType;
  /** A page or a redirect: its headers, beyond X-Request-Id. */
  headers?: readonly HeaderName[];
  /** Whole bodies by name, if the schema's own example does not fit. */
  examples?: Readonly<Record<string, unknown>>;
  isPage?: true;
};

/** An operation of the contract that is not a route: a library serves it, or another process behind this one. */
export type DescribedOperation = {
  method: 'get' | 'post';
  path: string;
  operationId: string;
  summary: string;
  description: readonly string[];
  tag: string;
  /** Each entry suffices; none: no credential, `{}`: none is needed. */
  security: readonly Readonly<Record<string, readonly string[]>>[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** The same content in any of these forms. */
  bodies?: readonly Body[];
  responses: Readonly<Record<number, Response>>;
};

/** Path items of such operations. */
export function describedPaths(operations: readonly DescribedOperation[], components: Components) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method] = itemOf(operation, components);
  return paths;
}

function itemOf(operation: DescribedOperation, components: Components) {
  const { operationId, summary, description, tag, security, bodies = [], responses } = operation;
  const parameters = [
    ...parametersIn(components, 'path', operation.params),
    ...parametersIn(components, 'query', operation.query),
    ...parametersIn(components, 'header', operation.headers),
  ];
  const content = bodies.map(({ type, schema }) => [type, components.mediaType(schema)] as const);
  return {
    operationId,
    summary,
    tags: [tag],
    description: description.join('\n\n'),
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content.length > 0 ? { requestBody: { required: true, content: Object.fromEntries(content) } } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, shared(status, response, components)]),
    ),
  };
}

/** Errors are the same for several operations: `OauthError400`. */
function shared(status: string, response: Response, components: Components) {
  const own = responseOf(response, components);
  const name = response.schema && z.globalRegistry.get(response.schema)?.id;
  return Number(status) < 400 || !name ? own : (components.tryAdd('responses', name + status, own) ?? own);
}

const page = {
  'text/html': {
    schema: { type: 'string', maxLength: 100_000, description: 'A page for people.' },
    examples: { example: { value: '<!doctype html><title>…</title>' } },
  },
};

function responseOf({ description, schema, headers = [], examples, isPage }: Response, components: Components) {
  const json = schema && { 'application/json': withExamples(components.mediaType(schema), examples) };
  const content = isPage ? page : json;
  return {
    description,
    headers: sharedHeaders(['X-Request-Id', ...headers], components),
    ...(content ? { content } : {}),
  };
}

function withExamples(mediaType: object, examples: Response['examples']) {
  if (!examples) return mediaType;
  const values = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return { ...mediaType, examples: Object.fromEntries(values) as Record<string, unknown> };
}
