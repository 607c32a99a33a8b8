/**
 * A receiver's address where others read it than who set it: in lists, in the audit log, in events. What its query says may
 * be a secret that the receiver checks.
 */
export function maskedUrl(url: string): string {
  const [address = '', ...query] = url.split('?');
  if (query.length === 0) return url;
  const masked = query
    .join('?')
    .split('&')
    .map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=***` : '***'));
  return `${address}?${masked.join('&')}`;
}
