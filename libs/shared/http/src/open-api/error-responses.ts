import { errorCodes, errorResponse, receiverErrorResponse } from '@eas/contracts';
import type { Constraint, ErrorCode } from '@eas/core';
import { isReceiver, type Route, takesIfMatch } from '../routes/route.ts';
import type { Components } from './components.ts';
import { errorHeaders } from './response-headers.ts';

type Example = { code: ErrorCode; message: string; details?: { field: string; constraint: Constraint } };

const examples: Record<ErrorCode, Example> = {
  invalid_request: {
    code: 'invalid_request',
    message: 'limit must be an integer from 1 to 100.',
    details: { field: 'limit', constraint: 'max' },
  },
  invalid_input: {
    code: 'invalid_input',
    message: 'description is required.',
    details: { field: 'description', constraint: 'required' },
  },
  unauthorized: { code: 'unauthorized', message: 'The API key is not valid.' },
  forbidden: { code: 'forbidden', message: 'The scope tasks:write is required.' },
  not_found: { code: 'not_found', message: errorCodes.not_found.meaning },
  conflict: {
    code: 'conflict',
    message: errorCodes.conflict.meaning,
    details: { field: 'status', constraint: 'state' },
  },
  rate_limited: {
    code: 'rate_limited',
    message: 'More than 300 requests in a minute. Try again in a minute.',
  },
  server_error: { code: 'server_error', message: errorCodes.server_error.meaning },
};

type ErrorCase = Example & { status: number; meaning: string; name: string };

const caseOf = (code: ErrorCode): ErrorCase => ({ ...examples[code], ...errorCodes[code], name: pascal(code) });

/** Refusals that have a status of their own under the code invalid_request. */
const refusals = {
  bodyTooLarge: {
    status: 413,
    name: 'BodyTooLarge',
    meaning: 'The body is larger than this operation accepts.',
    message: 'The body is too large.',
    details: { field: 'body', constraint: 'max_size' },
  },
  unsupportedMediaType: {
    status: 415,
    name: 'UnsupportedMediaType',
    meaning: 'The body is not JSON.',
    message: 'The body must be application/json.',
    details: { field: 'Content-Type', constraint: 'format' },
  },
  headersTooLarge: {
    status: 431,
    name: 'HeadersTooLarge',
    meaning: 'The address and headers of the request are too large together.',
    message: 'The request headers are too large.',
  },
  preconditionFailed: {
    status: 412,
    name: 'PreconditionFailed',
    meaning: 'The resource has changed since you read it. Read it again and repeat your change.',
    message: 'If-Match does not contain the current ETag. Read the resource again and retry.',
    details: { field: 'If-Match', constraint: 'version' },
  },
} as const;

/** The error responses of a route by status: those it names and those that follow from its kind. */
export function errorResponsesOf(route: Route, components: Components): Record<string, unknown> {
  const byStatus = Map.groupBy(casesOf(route), ({ status }) => status);
  const isShared = route.hasCaller && !route.deprecation && !isReceiver(route.access);
  return Object.fromEntries(
    [...byStatus].map(([status, cases]) => {
      const response = responseOf(route, status, cases, components);
      // Of several codes with one status the most specific is the last.
      const name = cases.at(-1)?.name ?? '';
      return [String(status), isShared ? components.add('responses', name, response) : response];
    }),
  );
}

function casesOf(route: Route): ErrorCase[] {
  const refusal = (name: keyof typeof refusals): ErrorCase => ({ code: 'invalid_request', ...refusals[name] });
  return [
    ...codesOf(route).map(caseOf),
    ...(isReceiver(route.access) || route.body ? [refusal('bodyTooLarge')] : []),
    ...(route.body ? [refusal('unsupportedMediaType')] : []),
    ...(route.query ? [refusal('headersTooLarge')] : []),
    ...(takesIfMatch(route) ? [refusal('preconditionFailed')] : []),
  ];
}

/** In the order of the catalogue. */
function codesOf({ hasCaller, errors, body, query, isIdempotent, params }: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...errors, 'server_error']);
  if (hasCaller) for (const code of ['unauthorized', 'forbidden', 'rate_limited'] as const) codes.add(code);
  if (query || hasCaller) codes.add('invalid_request');
  if (body) codes.add('invalid_input');
  if (params) codes.add('not_found');
  if (isIdempotent) codes.add('conflict');
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => codes.has(code));
}

function responseOf(route: Route, status: number, cases: readonly ErrorCase[], components: Components) {
  const [schema, toBody] = isReceiver(route.access) ? [receiverErrorResponse, receiverBody] : [errorResponse, restBody];
  return {
    description: cases.map(({ meaning }) => meaning).join(' '),
    headers: errorHeaders(route, status, components),
    content: {
      'application/json': {
        schema: components.schemaOf(schema),
        examples: Object.fromEntries(cases.map((one) => [one.code, { value: toBody(one) }])),
      },
    },
  };
}

function restBody({ code, message, details }: Example) {
  const error = { code, message, details: details ?? {}, request_id: 'req_01ks0000000000000000000000' };
  return { error: details ? { ...error, errors: [details] } : error };
}

const receiverBody = ({ code, message }: Example) => ({ error: { message, code } });

/** "not_found" → NotFound. */
const pascal = (code: string): string => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
