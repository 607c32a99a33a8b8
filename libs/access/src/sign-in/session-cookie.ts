/** The cookie that carries a session's token. The texts are for Set-Cookie. */
export type SessionCookie = {
  name: string;
  issue(token: string, expiresAt: Date): string;
  clear(): string;
};

const attributes = 'Path=/; HttpOnly; SameSite=Lax';

/**
 * Name and attributes by what clients call. Scripts never see the cookie, other sites' forms do not bring it, and
 * with https (or on this machine, which browsers trust the same) neither plain text nor a neighbouring host can set it.
 */
export function sessionCookieFor(baseUrl: string): SessionCookie {
  const isSecure = isTrustworthy(new URL(baseUrl));
  const name = isSecure ? '__Host-eas_session' : 'eas_session';
  const all = isSecure ? `${attributes}; Secure` : attributes;
  return {
    name,
    issue: (token, expiresAt) => `${name}=${token}; Expires=${expiresAt.toUTCString()}; ${all}`,
    clear: () => `${name}=; Expires=${new Date(0).toUTCString()}; ${all}`,
  };
}

const isTrustworthy = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname);

/** The value of a cookie in a Cookie header; undefined when it is not there. */
export function readCookie(header: string | string[] | undefined, name: string): string | undefined {
  if (typeof header !== 'string') return undefined;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
