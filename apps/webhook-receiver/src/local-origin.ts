import { isIPv4, isIPv6 } from 'node:net';

type Origin = {
  /** The caller as the socket or a trusted proxy names it. */
  remoteAddress: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/**
 * Whether a request was made on this machine: by the socket, by every address that proxies noted, and by the page, if
 * a browser sent it.
 */
export function isLocalOrigin({ remoteAddress, headers }: Origin): boolean {
  const forwarded = textsOf(headers['x-forwarded-for']).flatMap((text) => text.split(','));
  const isNoted = ['forwarded', 'x-real-ip'].some((name) => textsOf(headers[name]).length > 0);
  return !isNoted && [remoteAddress, ...forwarded].every(isLoopback) && textsOf(headers['origin']).every(isLocalPage);
}

const textsOf = (value: string | string[] | undefined) => (value === undefined ? [] : [value].flat());

function isLoopback(text: string): boolean {
  const address = text.trim().replace(/^::ffff:/i, '');
  return isIPv4(address) ? address.startsWith('127.') : isIPv6(address) && address === '::1';
}

function isLocalPage(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
