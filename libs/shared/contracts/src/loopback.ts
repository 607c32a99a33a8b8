/**
 * Whether a host is the local machine: `localhost` and the names below it (RFC 6761), 127.0.0.0/8 and ::1, also as
 * IPv4-mapped IPv6. Accepts the forms of a URL's `hostname`, a socket and a setting.
 */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (/(^|\.)localhost\.?$/.test(bare) || bare === '::1') return true;
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(bare) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(bare);
}
