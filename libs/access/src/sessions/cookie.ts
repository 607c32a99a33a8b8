import { isLoopback } from '@eas/contracts';
import { parseCookie, stringifySetCookie } from 'cookie';

/** A cookie of this site. The texts are for Set-Cookie. */
export type Cookie = {
  name: string;
  issue(value: string, expiresAt: Date): string;
  clear(): string;
};

/**
 * Name and attributes for the public address. Scripts never see the cookie, other sites' forms do not send it, and with
 * https (or on this machine, which browsers trust the same) neither plain text nor a neighbouring host can set it.
 */
function cookieFor(baseUrl: string, plainName: string): Cookie {
  const secure = isTrustworthy(new URL(baseUrl));
  const name = secure ? `__Host-${plainName}` : plainName;
  const issue = (value: string, expires: Date) =>
    stringifySetCookie({ name, value, expires, path: '/', httpOnly: true, sameSite: 'lax', secure });
  return { name, issue, clear: () => issue('', new Date(0)) };
}

/** session: a session's token. device: that a person has signed in here. */
export type Cookies = { session: Cookie; device: Cookie };

export const cookiesFor = (baseUrl: string): Cookies => ({
  session: cookieFor(baseUrl, 'eas_session'),
  device: cookieFor(baseUrl, 'eas_device'),
});

const isTrustworthy = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || isLoopback(hostname);

/** The value of a cookie in a Cookie header; undefined when it is not there. */
export const readCookie = (header: string | string[] | undefined, name: string): string | undefined =>
  typeof header === 'string' ? parseCookie(header)[name] : undefined;
