import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { serveRoutes } from '../served-routes.fixture.ts';
import { serveFolder } from './serve-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'hashed-'));
const script = 'alert("as it is")';
writeFileSync(join(folder, 'a-1.js'), script);
writeFileSync(join(folder, 'a-1.js.br'), brotliCompressSync(script));
writeFileSync(join(folder, 'a-1.js.gz'), gzipSync(script));
writeFileSync(join(folder, 'b-1.css'), 'b {}');
afterAll(() => rmSync(folder, { recursive: true }));

const { call } = serveRoutes([], { mounts: [serveFolder({ path: '/app', folder, isHashed: true })] });
const get = (path: string, encoding: string) => call('GET', path, { headers: { 'accept-encoding': encoding } });

describe('a folder of files with hashed names', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['zstd', null],
  ])('responds to %j with the form %j of a script', async (accepted, encoding) => {
    const { status, headers, text } = await get('/app/a-1.js', accepted);
    expect([status, headers.get('content-encoding'), headers.get('content-type'), text]).toEqual([
      200,
      encoding,
      'text/javascript; charset=utf-8',
      script,
    ]);
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('serves uncompressed files unchanged, and nothing that does not exist', async () => {
    const plain = await get('/app/b-1.css', 'br');
    expect([plain.status, plain.headers.get('content-encoding'), plain.text]).toEqual([200, null, 'b {}']);
    for (const path of ['/app/none.js', '/app/', '/app/..%2fa-1.js']) expect((await get(path, 'br')).status).toBe(404);
  });
});
