export type FailureReason =
  | 'timeout'
  | 'connect'
  | 'dns'
  | 'tls'
  | 'blocked_address'
  | 'blocked_url'
  | 'reset'
  | 'protocol'
  | 'aborted'
  | 'other';

/** Code of the error that the look-up gives when no resolved address is allowed. */
export const blockedAddressCode = 'EBLOCKEDADDRESS';

const reasonByCode: Record<string, FailureReason> = {
  [blockedAddressCode]: 'blocked_address',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EADDRNOTAVAIL: 'connect',
  EACCES: 'connect',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  EPROTO: 'tls',
};

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)/;
const protocolCode = /^(HPE_|UND_ERR_|ERR_HTTP)/;

/** Words for a person who reads the record of an attempt; names neither resolved addresses nor libraries. */
export const failureMessages: Record<FailureReason, string> = {
  timeout: 'no complete response in time',
  connect: 'the connection was refused or the host cannot be reached',
  dns: 'the host name could not be resolved',
  tls: 'the TLS handshake or the certificate failed',
  blocked_address: 'the host resolves to an address that is not public',
  blocked_url: 'the URL is not allowed',
  reset: 'the connection was closed before the response was complete',
  protocol: 'the response was not valid HTTP',
  aborted: 'the request was aborted',
  other: 'the request failed',
};

export function failureReason(error: unknown): FailureReason {
  const code = errorCode(error);
  if (code === undefined) return 'other';
  const known = reasonByCode[code];
  if (known) return known;
  if (tlsCode.test(code)) return 'tls';
  return protocolCode.test(code) ? 'protocol' : 'other';
}

/** An AggregateError (every address failed) speaks through its first error when it has no code of its own. */
function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return errorCode(Array.isArray(errors) ? errors[0] : cause);
}
