import { errorCodes } from '@eas/contracts';
import { AppError, type ErrorCode, type Violation } from '@eas/core';
import { isUnavailable, Unavailable } from '@eas/db';
import type { RouteResponse } from './responses.ts';

export type ErrorPage = { status: number; message: string; requestId: string };

/**
 * The format of a path's error bodies: the REST envelope, the receivers' short form, OAuth, JSON-RPC 2.0, or a page.
 */
export type ErrorStyle = 'rest' | 'receiver' | 'oauth' | 'json-rpc' | 'page';

/** The response to anything thrown. Only an AppError's own text reaches the client. */
export function respondToError(
  error: unknown,
  style: ErrorStyle,
  requestId: string,
  renderPage?: (error: ErrorPage) => string,
): RouteResponse {
  const known = error instanceof AppError ? error : unexpected(error);
  const { code, message, violations, headers, extra } = known;
  const status = known.status ?? errorCodes[code].status;
  const text = message === code ? errorCodes[code].meaning : message;
  if (style === 'receiver') return { status, headers, body: { error: { message: text, code: receiverCode(code) } } };
  if (style === 'oauth') return { status, headers, body: { error: oauthCode(status), error_description: text } };
  if (style === 'page' && renderPage)
    return { status, headers, body: renderPage({ status, message: text, requestId }) };
  const rest = { ...restError(code, text, violations, requestId), ...extra };
  if (style === 'json-rpc') return { status, headers, body: rpcError(rest) };
  return { status, headers, body: { error: rest } };
}

type RestError = ReturnType<typeof restError>;

/** Of a message whose id is not known: it was refused before it was read, or cannot be. `data` is the error of REST. */
function rpcError(data: RestError) {
  return { jsonrpc: '2.0', id: null, error: { code: rpcCode(data), message: data.message, data } };
}

/** The codes of JSON-RPC 2.0, section 5.1; -32000 for what it has none for. */
function rpcCode({ code, details }: RestError): number {
  if (code === 'invalid_request') return isOfSyntax(details) ? -32_700 : -32_600;
  return { invalid_input: -32_602, server_error: -32_603 }[code as string] ?? -32_000;
}

const isOfSyntax = ({ field, constraint }: Partial<Violation>) => field === 'body' && constraint === 'format';

function restError(code: ErrorCode, message: string, violations: Violation[], requestId: string) {
  const errors = violations.map(({ field, constraint }) => ({ field, constraint }));
  const details = errors[0] ?? {};
  const error = { code, message, details, request_id: requestId };
  return errors.length > 0 ? { ...error, errors } : error;
}

/** The codes of RFC 6749 that mean a status. */
function oauthCode(status: number): string {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** Receivers know five codes. */
function receiverCode(code: ErrorCode): ErrorCode {
  switch (code) {
    case 'invalid_input':
    case 'conflict':
      return 'invalid_request';
    case 'unauthorized':
      return 'forbidden';
    default:
      return code;
  }
}

function unexpected(error: unknown): AppError {
  if (!isUnavailable(error)) return new AppError('server_error', { message: errorCodes.server_error.meaning });
  const message =
    error instanceof Unavailable ? error.message : 'The service is temporarily unavailable. Try again later.';
  return new AppError('server_error', { status: 503, message, headers: { 'Retry-After': '1' } });
}
