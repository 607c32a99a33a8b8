import { leastHoldMs, maxHoldMs } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { useGateway } from '../gateway.ts';
import { oauthScene, redirectUri } from './oauth-scene.ts';

const gateway = useGateway();
const scene = oauthScene(gateway);
/** Just below what Node takes as headers, and what the authorization server takes as a form. */
const queryBytes = 15_000;
const formBytes = 55_000;

const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
const nested = (bytes: number) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`;

/** Texts of about this number of bytes that are worst cases for parsers of lists, names, escapes, JSON and patterns. */
const worstForms: [name: string, make: (bytes: number) => string][] = [
  ['thousands of names', (bytes) => repeated('a&', bytes)],
  ['one name, thousands of times', (bytes) => repeated('scope=a&', bytes)],
  ['names like indexes', (bytes) => repeated('a[][]=&', bytes)],
  ['escapes', (bytes) => `state=${repeated('%25', bytes)}`],
  ['broken escapes', (bytes) => `state=${repeated('%', bytes)}`],
  ['a list of scopes', (bytes) => `scope=${repeated('a+', bytes)}`],
  ['spaces', (bytes) => `scope=${repeated('+', bytes)}x`],
  ['a list of prompts', (bytes) => `prompt=${repeated('consent+', bytes)}`],
  ['a list of languages', (bytes) => `ui_locales=${repeated('de+', bytes)}`],
  ['nested claims', (bytes) => `claims=${encodeURIComponent(nested(bytes / 3))}`],
  ['a token of dots', (bytes) => `request=${repeated('.', bytes)}&token=${repeated('.', bytes / 2)}`],
  ['a long challenge', (bytes) => `code_challenge_method=S256&code_challenge=${repeated('-', bytes)}`],
  ['resources', (bytes) => repeated('resource=urn:a&', bytes)],
];

describe('the worst that is sent to the authorization server', () => {
  it.each(worstForms)('holds the event loop no longer than others may wait: %s', async (_name, make) => {
    const client = await scene.makeClient();
    const own = `client_id=${client.id}&redirect_uri=${encodeURIComponent(redirectUri)}&response_type=code&`;
    const statuses: number[] = [];
    const get = async () => {
      const url = `${gateway.address()}/oauth/authorize?${own}${make(queryBytes - own.length)}`;
      const response = await fetch(url, { redirect: 'manual' });
      await response.arrayBuffer();
      statuses.push(response.status);
    };
    const post = (path: string) => async () => {
      const secret = `client_id=${client.id}&client_secret=${client.secret}&grant_type=refresh_token&`;
      const response = await fetch(gateway.address() + path, {
        method: 'POST',
        body: secret + make(formBytes - secret.length),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    };
    for (const call of [get, ...['/oauth/token', '/oauth/revoke', '/oauth/introspect'].map(post)])
      expect(await leastHoldMs(call)).toBeLessThanOrEqual(maxHoldMs);
    expect(Math.max(...statuses)).toBeLessThan(500);
  });

  it('is 400 for a query of more than 100 parameters', async () => {
    const statusOf = async (count: number) =>
      (await fetch(`${gateway.address()}/oauth/authorize?${'a&'.repeat(count - 1)}a`, { redirect: 'manual' })).status;
    const client = await scene.makeClient();
    const { browser } = await scene.signedIn();
    const fields = Object.fromEntries(Array.from({ length: 90 }, (_, number) => [`x${number}`, 'y']));
    expect((await scene.ask(browser, client, fields)).status).toBe(200);
    expect(await statusOf(101)).toBe(400);
  });
});
