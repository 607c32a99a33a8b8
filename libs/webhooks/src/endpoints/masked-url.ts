/**
 * A receiver's address for readers other than its owner: in lists, in the audit log, in events. Its query may contain a
 * secret that the receiver checks.
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
