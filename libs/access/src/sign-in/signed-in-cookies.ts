import type { Cookies } from '../sessions/cookie.ts';
import type { SignedInBrowser } from './sign-in.ts';

/** Texts for Set-Cookie: the session, and that somebody has signed in with this browser. */
export const signedInCookies = (cookies: Cookies, { token, expiresAt, device }: SignedInBrowser): readonly string[] => [
  cookies.session.issue(token, expiresAt),
  cookies.device.issue(device.value, device.expiresAt),
];
