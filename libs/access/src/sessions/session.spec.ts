import { describe, expect, it } from '@jest/globals';
import { cookiesFor, readCookie } from './cookie.ts';
import { csrfTokenOf, generateToken, isPlausibleToken, sessionPrincipal } from './session.ts';

describe('the session cookie', () => {
  const expiresAt = new Date('2026-11-28T10:00:00Z');

  it('belongs to one host, to https and to no script', () => {
    const cookie = cookiesFor('https://api.example.com').session;
    expect(cookie.name).toBe('__Host-eas_session');
    expect(cookie.issue('abc', expiresAt)).toBe(
      '__Host-eas_session=abc; Path=/; Expires=Sat, 28 Nov 2026 10:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    );
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
    'is the same on %s, which browsers trust as they trust https',
    (baseUrl) => expect(cookiesFor(baseUrl).session).toMatchObject({ name: '__Host-eas_session' }),
  );

  it.each(['http://192.168.1.5:3000', 'http://127.0.0.1.example.com', 'http://localhost.example.com'])(
    'has no prefix and no Secure on %s, where browsers would drop it',
    (baseUrl) => {
      const cookie = cookiesFor(baseUrl).session;
      expect(cookie.name).toBe('eas_session');
      expect(cookie.issue('abc', expiresAt)).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    },
  );

  it('is cleared at sign-out with the attributes that it was set with', () => {
    expect(cookiesFor('https://api.example.com').session.clear()).toBe(
      '__Host-eas_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    );
  });

  it('is found among others by its whole name', () => {
    expect(readCookie('a=1; __Host-eas_session=abc=; b=2', '__Host-eas_session')).toBe('abc=');
    expect(readCookie('x__Host-eas_session=abc; eas_session', '__Host-eas_session')).toBeUndefined();
    expect(readCookie(undefined, 'a')).toBeUndefined();
  });
});

describe('a session', () => {
  it('has a token of 256 random bits', () => {
    const tokens = Array.from({ length: 100 }, generateToken);
    expect(new Set(tokens).size).toBe(100);
    expect(tokens.every(isPlausibleToken)).toBe(true);
    expect(['', 'a'.repeat(42), `${'a'.repeat(42)}!`, 'a'.repeat(44)].some(isPlausibleToken)).toBe(false);
  });

  it('has a CSRF token that follows from its own and does not show it', () => {
    const [one, other] = [generateToken(), generateToken()];
    expect(csrfTokenOf(one)).toBe(csrfTokenOf(one));
    expect(csrfTokenOf(one)).not.toBe(csrfTokenOf(other));
    expect(csrfTokenOf(one)).not.toContain(one);
    expect(csrfTokenOf(one)).toHaveLength(43);
  });

  it('acts as its person, with 1,000 requests a minute', () => {
    const session = { tenantId: 'tnt_1', id: 'ses_1', userId: 'usr_1', scopes: ['tasks:read' as const] };
    const token = generateToken();
    expect(sessionPrincipal(session, token)).toEqual({
      tenantId: 'tnt_1',
      kind: 'session',
      credentialId: 'ses_1',
      sessionId: 'ses_1',
      csrfToken: csrfTokenOf(token),
      actor: { id: 'usr_1' },
      scopes: ['tasks:read'],
      rateLimit: 1_000,
    });
    expect(sessionPrincipal({ ...session, scopes: ['admin'] }, token).actor).toEqual({ id: 'usr_1', isAdmin: true });
  });
});
