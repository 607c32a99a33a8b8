import { isIP } from 'node:net';
import { isLoopback } from '@eas/contracts';
import { createAddressFilter, type EgressPolicy } from './address-policy.ts';
import { isAllowedPort } from './port-policy.ts';

const maxUrlLength = 2_048;

type UrlRefusal = 'too_long' | 'malformed' | 'scheme' | 'credentials' | 'port' | 'blocked_address';

export type VettedUrl = { isAllowed: true; url: URL } | { isAllowed: false; reason: UrlRefusal; message: string };

const refusals: Record<UrlRefusal, string> = {
  too_long: `must have at most ${maxUrlLength} characters`,
  malformed: 'must be an absolute URL, such as https://example.com/hooks',
  scheme: 'must start with https://',
  credentials: 'must not contain a user name or password',
  port: 'must use port 443 (80 for http) or a port from 1024 that is not known for another service, and none of this service',
  blocked_address: 'must have a public address',
};

/**
 * Checks form, scheme, credentials, port and a literal address. Resolved addresses are checked at each connection.
 * `isAllowedAddress`: the filter of the policy, for a caller that checks many.
 */
export function vetUrl(text: string, policy: EgressPolicy, isAllowedAddress?: (address: string) => boolean): VettedUrl {
  if (text.length > maxUrlLength) return refuse('too_long');
  if (!URL.canParse(text)) return refuse('malformed');
  const url = new URL(text);
  const isScheme = url.protocol === 'https:' || (policy.allowHttp && url.protocol === 'http:');
  if (!isScheme) return refuse('scheme');
  if (url.username !== '' || url.password !== '') return refuse('credentials');
  if (!isAllowedPort(url, policy)) return refuse('port');
  const address = literalAddress(url.hostname);
  if (address !== undefined && !(isAllowedAddress ?? createAddressFilter(policy))(address))
    return refuse('blocked_address');
  return { isAllowed: true, url };
}

/** The literal address in a host. The URL parser has already normalised forms like 0x7f.1. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare)) return bare;
  return isLoopback(bare) ? '127.0.0.1' : undefined;
}

function refuse(reason: UrlRefusal): VettedUrl {
  return { isAllowed: false, reason, message: refusals[reason] };
}
