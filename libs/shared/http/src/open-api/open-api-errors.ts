import { errorCodes, errorResponse, receiverErrorResponse } from '@eas/contracts';
import type { Constraint, ErrorCode } from '@eas/core';
import { type Route, takesIfMatch } from '../route.ts';

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

/** The error answers of a route by status: those it names and those that follow from its kind. */
export function errorResponses(route: Route) {
  const isReceiver = typeof route.access === 'object' && 'signature' in route.access;
  const byStatus = new Map<number, Example[]>();
  for (const code of allCodes(route)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), examples[code]]);
  }
  if (isReceiver || route.body) {
    const message = 'The body is too large.';
    byStatus.set(413, [{ code: 'invalid_request', message, details: { field: 'body', constraint: 'max_size' } }]);
  }
  if (route.body) {
    const message = 'The body must be application/json.';
    byStatus.set(415, [{ code: 'invalid_request', message, details: { field: 'Content-Type', constraint: 'format' } }]);
  }
  if (route.query) {
    const message = 'The request headers are too large.';
    byStatus.set(431, [{ code: 'invalid_request', message }]);
  }
  if (takesIfMatch(route)) {
    const message = 'If-Match does not contain the current ETag. Read the resource again and retry.';
    byStatus.set(412, [{ code: 'invalid_request', message, details: { field: 'If-Match', constraint: 'version' } }]);
  }
  const toBody = isReceiver ? receiverBody : restBody;
  const schema = isReceiver ? receiverErrorResponse : errorResponse;
  return [...byStatus].map(([status, list]) => ({
    status,
    description: list.map(({ code }) => errorCodes[code].meaning).join(' '),
    schema,
    examples: Object.fromEntries(list.map((example) => [example.code, { value: toBody(example) }])),
  }));
}

function allCodes({ hasCaller, errors, body, query, isIdempotent, params }: Route): Set<ErrorCode> {
  const codes = new Set<ErrorCode>(errors);
  if (hasCaller) for (const code of ['unauthorized', 'forbidden', 'rate_limited'] as const) codes.add(code);
  if (query || hasCaller) codes.add('invalid_request');
  if (body) codes.add('invalid_input');
  if (params) codes.add('not_found');
  if (isIdempotent) codes.add('conflict');
  return codes.add('server_error');
}

function restBody({ code, message, details }: Example) {
  const error = { code, message, details: details ?? {}, request_id: 'req_01ks0000000000000000000000' };
  return { error: details ? { ...error, errors: [details] } : error };
}

const receiverBody = ({ code, message }: Example) => ({ error: { message, code } });
