import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cloneFolder, folderNames } from './folder-names.ts';

describe('the folders of repositories', () => {
  it('have the name of the repository, and a number where two have the same', () => {
    const urls = ['https://a.example/acme/web.git', 'git@b.example:other/Web.git', '/srv/git/my api', '/srv/git/web-2'];
    expect(folderNames(urls)).toEqual(['web', 'Web-2', 'my-api', 'web-2-2']);
  });

  it('never lead elsewhere', () => {
    const url = fc.oneof(
      fc.webUrl(),
      fc.string().map((path) => `/srv/${path}`),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(url, { maxLength: 5 }), (urls) => {
        const names = folderNames(urls);
        for (const name of [...names, ...urls.map(cloneFolder)]) expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(urls.length);
      }),
    );
  });

  it('have one clone for each URL', () => {
    expect(cloneFolder('https://a.example/acme/web')).toMatch(/^web-[0-9a-f]{16}\.git$/);
    expect(cloneFolder('https://a.example/acme/web')).not.toBe(cloneFolder('git@a.example:acme/web'));
  });
});
