export type FailureReason =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'tls'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_body'
  | 'blocked_target'
  | 'protocol'
  | 'aborted'
  | 'other';

/** What an exchange waits for: a connection, the response headers, the response body. */
export type Phase = 'connect' | 'headers' | 'body';

export const timeoutOf: Record<Phase, FailureReason> = {
  connect: 'timeout_connect',
  headers: 'timeout_headers',
  body: 'timeout_body',
};

/** Error code of the look-up if no resolved address is allowed. */
export const blockedAddressCode = 'EBLOCKEDADDRESS';
/** Error code of any other failure of the look-up. */
export const lookupFailedCode = 'LOOKUP_FAILED';

const reasonByCode: Record<string, FailureReason> = {
  [blockedAddressCode]: 'blocked_target',
  UND_ERR_CONNECT_TIMEOUT: 'timeout_connect',
  [lookupFailedCode]: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  // The request itself is invalid, for example a header.
  UND_ERR_INVALID_ARG: 'other',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  EPROTO: 'tls',
};

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)/;
const protocolCode = /^(HPE_|UND_ERR_|ERR_HTTP)/;

/** Description for the record of an attempt; contains neither resolved addresses nor names of libraries. */
export const failureMessages: Record<FailureReason, string> = {
  dns: 'the host name could not be resolved',
  refused: 'the connection was refused',
  unreachable: 'the host cannot be reached',
  reset: 'the connection was closed before the response was complete',
  tls: 'the TLS handshake or the certificate failed',
  timeout_connect: 'no connection in time',
  timeout_headers: 'connected, but no response headers in time',
  timeout_body: 'the response body was not complete in time',
  blocked_target: 'the address, the port or the scheme of the URL is not allowed',
  protocol: 'the response was not valid HTTP or its headers were too large',
  aborted: 'the request was aborted',
  other: 'the request failed',
};

/** The class of an error that ended an exchange in `phase`. */
export function failureReason(error: unknown, phase: Phase): FailureReason {
  const { code, name, message } = described(error);
  const parsed = parserReason({ code, name, message }, phase);
  if (parsed) return parsed;
  if (code === undefined) return 'other';
  if (code === 'ETIMEDOUT') return timeoutOf[phase];
  const known = reasonByCode[code];
  if (known) return known;
  if (tlsCode.test(code)) return 'tls';
  return protocolCode.test(code) ? 'protocol' : 'other';
}

/** For codes that do not distinguish a connection that ended too early from invalid data. */
function parserReason({ code, name, message }: Described, phase: Phase): FailureReason | undefined {
  // Parser errors may come without a code.
  if (name === 'HTTPParserError') return message.includes('Invalid EOF state') ? 'reset' : 'protocol';
  // In the headers it means two different lengths.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return phase === 'body' ? 'reset' : 'protocol';
  // A 100 or 101 that was not requested. The client asserts that no 101 comes.
  if (code === 'ERR_ASSERTION') return 'protocol';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(message)) return 'protocol';
  return undefined;
}

type Described = { code?: string; name: string; message: string };

/** An AggregateError (every address failed) without a code is represented by its first error. */
function described(error: unknown): Described {
  if (typeof error !== 'object' || error === null) return { name: '', message: '' };
  const { code, errors, cause, name, message } = error as Record<string, unknown>;
  const texts = { name: String(name), message: String(message) };
  if (typeof code === 'string') return { code, ...texts };
  const inner = Array.isArray(errors) ? (errors[0] as unknown) : cause;
  return inner === undefined ? texts : described(inner);
}
