import { describe, expect, it } from '@jest/globals';
import { baseUrl, useGateway } from './gateway.ts';

const gateway = useGateway();
const fetched = async (path: string) => {
  const response = await fetch(gateway.address() + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('/docs', () => {
  it.each(['/docs', '/docs/'])(
    'is a page at %s whose policy allows this service alone and nothing inline',
    async (path) => {
      const { status, headers, text } = await fetched(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      );
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(text).not.toMatch(/<style|style="|<script>| on\w+="/);
    },
  );

  it('has whatever it loads', async () => {
    const { text } = await fetched('/docs');
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(loaded).toHaveLength(6);
    for (const path of loaded) expect([path, (await fetched(path)).status]).toEqual([path, 200]);
  });

  it('serves no folder and no file that is not there', async () => {
    const ofThePackage = [
      'package.json',
      'index.html',
      'README.md',
      'absolute-path.js',
      'swagger-ui.js.map',
      'LICENSE',
    ];
    const refused = ['', 'none.js', '..%2fdocs.ts', './package.json', '%2e/package.json', ...ofThePackage];
    for (const path of refused.map((name) => `/docs/assets/${name}`))
      expect([path, (await fetched(path)).status]).toEqual([path, 404]);
  });
});

describe('GET /', () => {
  it('says where the documentation and the pages of administrators are', async () => {
    const { status, text } = await fetched('/');
    expect([status, JSON.parse(text)]).toEqual([
      200,
      expect.objectContaining({ docs: `${baseUrl}/docs`, admin: `${baseUrl}/admin/`, api: `${baseUrl}/v1` }),
    ]);
  });
});
