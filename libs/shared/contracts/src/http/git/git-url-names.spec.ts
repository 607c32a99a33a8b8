import { describe, expect, it } from '@jest/globals';
import { namesOfRepository, repositoryNameOf } from './git-url-names.ts';

describe('the names of a repository', () => {
  it('are its address, its path on the host, and the last part of it', () => {
    expect(namesOfRepository('git@github.com:Acme/Web.git')).toEqual(['github.com/acme/web', 'acme/web', 'web']);
    expect(namesOfRepository('ext::sh')).toEqual([]);
  });

  it.each([
    [{ repository: 'web' }, 'web'],
    [{ repository: ' Acme/Web.git ' }, 'acme/web'],
    [{ repository: 'https://github.com/acme/web.git' }, 'github.com/acme/web'],
    [{ repository: 'github.com/acme/web' }, 'github.com/acme/web'],
    [{ repository: '/' }, undefined],
    [{ repository: '' }, undefined],
    [{ repository: 1 }, undefined],
    [{}, undefined],
  ])('are looked up by what %j says', (metadata, name) => expect(repositoryNameOf(metadata)).toBe(name));
});
