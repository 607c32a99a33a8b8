import { defaultTenantId } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { createBoard } from './board.routes.ts';

const queues = { open: () => Promise.reject(new Error('not polled')), close: async () => {} };
const principal = { tenantId: defaultTenantId, kind: 'session', scopes: ['admin'], csrfToken: 'token' };

async function openPage(baseUrl: string) {
  const route = createBoard({ queues, baseUrl }).routes.find(({ path }) => path === '/admin/queues');
  return route?.handler({} as never, { principal } as never);
}

describe('the page of the queues', () => {
  it('stays below the path of the base address, with its files, its calls and its cookie', async () => {
    const response = await openPage('https://example.com/agents');
    expect(response?.body).toContain('<base href="/agents/admin/queues/">');
    expect(response?.body).toContain('"url":"/agents/admin/"');
    const cookie = 'XSRF-TOKEN=token; Path=/agents/admin/queues; SameSite=Strict; Secure';
    expect(response?.headers?.['Set-Cookie']).toBe(cookie);
  });

  it('gives a cookie that browsers keep where there is no https', async () => {
    const cookie = 'XSRF-TOKEN=token; Path=/admin/queues; SameSite=Strict';
    expect((await openPage('http://10.0.0.1:3000'))?.headers?.['Set-Cookie']).toBe(cookie);
  });

  it('loads nothing inline and nothing from other sites', async () => {
    const body = String((await openPage('http://127.0.0.1:3000'))?.body);
    expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|https?:\/\//);
    expect(
      body.match(/<script(?! id="__UI_CONFIG__" type="application\/json"| defer src="(?:static\/js|page)\/)/g),
    ).toBeNull();
  });

  it('is for people who read events or administer', () => {
    const { routes } = createBoard({ queues, baseUrl: 'http://127.0.0.1:3000' });
    const changing = routes.filter(({ method }) => method !== 'GET');
    expect(new Set(changing.flatMap(({ scopes }) => scopes))).toEqual(new Set(['admin']));
    expect(routes.every(({ hasCaller, isDocumented }) => hasCaller && !isDocumented)).toBe(true);
  });
});
