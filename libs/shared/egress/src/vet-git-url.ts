import { readRepositoryUrl } from '@eas/contracts';
import { createAddressFilter, type EgressPolicy } from './address-policy.ts';
import { literalAddress } from './vet-url.ts';

export type VettedGitUrl = { isAllowed: true } | { isAllowed: false; message: string };

const refusals = {
  http: 'must start with https:// here. http is allowed where WEBHOOK_ALLOW_HTTP is set',
  local:
    'must not be a path of a machine here. Paths are allowed where WEBHOOK_ALLOWED_CIDRS has 127.0.0.0/8: use https:// or ssh://',
  address: 'must have a public host here. A private address has to be in WEBHOOK_ALLOWED_CIDRS',
} as const;

/**
 * Whether an installation with this policy allows a repository at the URL: http, private addresses and paths of the
 * machine as it allows them for webhooks. Resolved addresses are not checked: they are in the network of the runners.
 */
export function vetGitUrl(text: string, policy: Pick<EgressPolicy, 'allowHttp' | 'allowedCidrs'>): VettedGitUrl {
  const read = readRepositoryUrl(text);
  if (!read.isValid) return { isAllowed: false, message: read.message };
  const isAllowedAddress = createAddressFilter(policy);
  const refuse = (why: keyof typeof refusals) => ({ isAllowed: false, message: refusals[why] }) as const;
  if (read.transport === 'http' && !policy.allowHttp) return refuse('http');
  if (read.host === null) return isAllowedAddress('127.0.0.1') ? { isAllowed: true } : refuse('local');
  const address = literalAddress(read.host);
  return address === undefined || isAllowedAddress(address) ? { isAllowed: true } : refuse('address');
}
