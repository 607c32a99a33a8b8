/** A cookie that browsers keep for this site. The texts are for Set-Cookie. */
export type Cookie = {
  name: string;
  issue(value: string, expiresAt: Date): string;
  clear(): string;
};

const attributes = 'Path=/; HttpOnly; SameSite=Lax';

/**
 * Name and attributes by what clients call. Scripts never see the cookie, other sites' forms do not bring it, and
 * with https (or on this machine, which browsers trust the same) neither plain text nor a neighbouring host can set it.
 */
function cookieFor(baseUrl: string, plainName: string): Cookie {
  const isSecure = isTrustworthy(new URL(baseUrl));
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const all = isSecure ? `${attributes}; Secure` : attributes;
  return {
    name,
    issue: (value, expiresAt) => `${name}=${value}; Expires=${expiresAt.toUTCString()}; ${all}`,
    clear: () => `${name}=; Expires=${new Date(0).toUTCString()}; ${all}`,
  };
}

/** session: a session's token. device: that somebody has signed in here. made: what a page has just made. */
export type Cookies = { session: Cookie; device: Cookie; made: Cookie };

/** The cookies of the site that clients call by that address. */
export const cookiesFor = (baseUrl: string): Cookies => ({
  session: cookieFor(baseUrl, 'eas_session'),
  device: cookieFor(baseUrl, 'eas_device'),
  made: cookieFor(baseUrl, 'eas_made'),
});

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
