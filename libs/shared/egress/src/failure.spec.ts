import { describe, expect, it } from '@jest/globals';
import { failureMessages, failureReason, type Phase } from './failure.ts';

const error = (code: string | undefined, rest: object = {}) => Object.assign(new Error('it failed'), { code }, rest);

describe('class of a failure', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['EPROTO', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout_connect'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['UND_ERR_DESTROYED', 'aborted'],
    ['EMFILE', 'other'],
    [undefined, 'other'],
  ])('%s: %s', (code, reason) => {
    expect(failureReason(error(code), 'headers')).toBe(reason);
  });

  it.each<[Phase, string]>([
    ['connect', 'timeout_connect'],
    ['headers', 'timeout_headers'],
    ['body', 'timeout_body'],
  ])('of a time-out of the network while it waits for %s: %s', (phase, reason) => {
    expect(failureReason(error('ETIMEDOUT'), phase)).toBe(reason);
  });

  it('is that of the first address when all addresses failed', () => {
    const all = new AggregateError([error('ECONNREFUSED'), error('ENETUNREACH')]);
    expect(failureReason(all, 'connect')).toBe('refused');
  });

  it('distinguishes a connection that ends within a body from an invalid body', () => {
    const parser = (message: string) => Object.assign(error(undefined), { name: 'HTTPParserError', message });
    expect(failureReason(parser('(Invalid EOF state)'), 'body')).toBe('reset');
    expect(failureReason(parser('(Invalid character in chunk size)'), 'body')).toBe('protocol');
    expect(failureReason(error('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'body')).toBe('reset');
    expect(failureReason(error('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), 'headers')).toBe('protocol');
  });

  it('has a message for people, without the names of libraries or error codes', () => {
    for (const message of Object.values(failureMessages)) expect(message).not.toMatch(/undici|_|E[A-Z]{4,}/);
  });
});
