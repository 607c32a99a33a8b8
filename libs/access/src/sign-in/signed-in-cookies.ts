import type { Cookies } from '../sessions/cookie.ts';
import type { SignedInBrowser } from './sign-in.ts';

export const signedInCookies = (cookies: Cookies, { token, expiresAt, device }: SignedInBrowser): readonly string[] => [
  cookies.session.issue(token, expiresAt),
  cookies.device.issue(device.value, device.expiresAt),
];
