import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@eas/contracts';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createDashboard } from './dashboard.ts';

const folder = mkdtempSync(join(tmpdir(), 'eas-dashboard-'));
mkdirSync(join(folder, 'app'));
writeFileSync(join(folder, 'sections.json'), '["inbox"]');
writeFileSync(
  join(folder, 'index.html'),
  '<meta content="{{base}}"><script src="./app/index.js"></script><link href="./app/index.css">',
);
afterAll(() => rmSync(folder, { recursive: true }));

const person = { csrfToken: 'token' } as Principal;
const renderMissing = ({ csrfToken }: Principal) => `not built, ${csrfToken}`;
const respond = (routes: ReturnType<typeof createDashboard>['routes']) =>
  routes[0]?.handler(undefined as never, { principal: person } as never);

describe('the dashboard in the gateway', () => {
  it('is a page for each address below its sections, with the path of BASE_URL in it', async () => {
    const { routes, isBuilt } = createDashboard({ baseUrl: 'https://a.example/eas/', renderMissing, folder });
    expect(isBuilt).toBe(true);
    expect(routes.map(({ path }) => path)).toEqual([
      '/admin',
      '/admin/inbox',
      '/admin/inbox/{id}',
      '/admin/inbox/{id}/{part}',
      '/admin/inbox/{id}/{part}/{item}',
    ]);
    expect(routes.every(({ access }) => JSON.stringify(access) === '{"session":[]}')).toBe(true);
    expect(await respond(routes)).toMatchObject({
      status: 200,
      body: '<meta content="/eas"><script src="/eas/admin/app/index.js"></script><link href="/eas/admin/app/index.css">',
      headers: { 'Content-Security-Policy': expect.not.stringMatching(/unsafe|eval/) },
    });
  });

  it('that was not built shows an error page with 503', async () => {
    const { routes, mounts, isBuilt } = createDashboard({
      baseUrl: 'https://a.example',
      renderMissing,
      folder: '/none',
    });
    expect([isBuilt, mounts, routes.map(({ path }) => path)]).toEqual([false, [], ['/admin']]);
    expect(await respond(routes)).toEqual({ status: 503, body: 'not built, token' });
  });
});
