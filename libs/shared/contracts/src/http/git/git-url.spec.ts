import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRepositoryUrl } from './git-url.ts';
import { namesOfRepository, repositoryNameOf } from './git-url-names.ts';

describe('the URL of a repository', () => {
  it.each([
    ['https://github.com/acme/web', 'https', 'github.com/acme/web', 'acme/web'],
    ['https://GitHub.com/Acme/Web.git/', 'https', 'github.com/acme/web', 'Acme/Web'],
    ['git@github.com:acme/web.git', 'ssh', 'github.com/acme/web', 'acme/web'],
    ['github.com:acme/web.git', 'ssh', 'github.com/acme/web', 'acme/web'],
    ['ssh://git@github.com:22/acme/web.git', 'ssh', 'github.com/acme/web', 'acme/web'],
    ['ssh://git@git.example.com:2222/acme/web.git', 'ssh', 'git.example.com:2222/acme/web', 'acme/web'],
    ['https://gitlab.com/group/sub/web.git', 'https', 'gitlab.com/group/sub/web', 'group/sub/web'],
    ['http://127.0.0.1:3000/acme/web', 'http', '127.0.0.1:3000/acme/web', 'acme/web'],
    ['https://[::1]/acme/web', 'https', '::1/acme/web', 'acme/web'],
    ['git@[::1]:acme/web', 'ssh', '::1/acme/web', 'acme/web'],
    ['git@0x7f.1:acme/web', 'ssh', '127.0.0.1/acme/web', 'acme/web'],
    ['ssh://git@0x7f.1/acme/web', 'ssh', '127.0.0.1/acme/web', 'acme/web'],
    ['/srv/git/acme/web.git', 'local', '/srv/git/acme/web', 'acme/web'],
    ['/srv/my git/web', 'local', '/srv/my git/web', 'my git/web'],
    ['file:///srv/git/acme/web.git', 'local', '/srv/git/acme/web', 'acme/web'],
  ])('%s is read', (url, transport, key, shortName) =>
    expect(readRepositoryUrl(url)).toMatchObject({ isValid: true, transport, key, shortName }),
  );

  it.each([
    ['', 'must be the URL'],
    [`https://github.com/${'a'.repeat(2_048)}`, 'must be the URL'],
    ['ext::sh -c "touch /tmp/x"', 'transport helper'],
    ['ext::sh', 'transport helper'],
    ['fd::17', 'transport helper'],
    ['--upload-pack=touch', 'hyphen'],
    ['ssh://-oProxyCommand=x/acme/web', 'hyphen'],
    ['-oProxyCommand=x@host:web', 'hyphen'],
    ['git@-oProxyCommand=x:web', 'hyphen'],
    ['git@host:-web', 'hyphen'],
    ['ssh://%2doProxyCommand=x/acme/web', 'hyphen'],
    ['ssh://%2doProxyCommand=x@host/acme/web', 'hyphen'],
    ['https://user:secret@github.com/acme/web', 'password or a token'],
    ['https://ghp_token@github.com/acme/web', 'password or a token'],
    ['ssh://git:secret@github.com/acme/web', 'password or a token'],
    ['git:secret@github.com:acme/web', 'password or a token'],
    ['https://github.com/acme/web?token=secret', 'query'],
    ['https://github.com/acme/web#readme', 'query'],
    ['https://github.com/acme/we\nb', 'control'],
    ['https://github.com/acme/we%0ab', 'control'],
    ['https://github.com\\acme\\web', 'backslashes'],
    ['https://github.com', 'must name a repository'],
    ['git@github.com:', 'must start with'],
    ['git://github.com/acme/web', 'must start with'],
    ['acme/web', 'must start with'],
    ['ssh://host/we b', 'spaces'],
    ['C:/git/web', 'must start with'],
    ['/srv/../etc/web', 'must name a repository'],
    ['git@host:../web', 'must name a repository'],
    ['file://server/git/web', 'must name a repository'],
  ])('%j is refused', (url, message) =>
    expect(readRepositoryUrl(url)).toEqual({ isValid: false, message: expect.stringContaining(message) }),
  );

  it('never throws, and a task can name what is valid by the URL itself', () => {
    const scpLike = fc.webPath().map((path) => `git@host:a${path}`);
    const url = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), scpLike);
    fc.assert(
      fc.property(url, (text) => {
        if (!readRepositoryUrl(text).isValid || text.trim() !== text) return;
        expect(namesOfRepository(text)).toContain(repositoryNameOf({ repository: text }));
      }),
    );
  });
});
