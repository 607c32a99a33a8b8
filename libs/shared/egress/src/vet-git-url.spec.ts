import { describe, expect, it } from '@jest/globals';
import { vetGitUrl } from './vet-git-url.ts';

const production = { allowHttp: false, allowedCidrs: [] };
const onLoopback = { allowHttp: true, allowedCidrs: ['127.0.0.0/8', '::1/128'] };

describe('a repository URL is allowed', () => {
  it.each([
    'https://github.com/acme/web.git',
    'ssh://git@github.com/acme/web.git',
    'git@github.com:acme/web.git',
    'https://1.1.1.1/acme/web',
  ])('anywhere: %s', (url) => {
    expect(vetGitUrl(url, production)).toEqual({ isAllowed: true });
    expect(vetGitUrl(url, onLoopback)).toEqual({ isAllowed: true });
  });

  it.each([
    ['http://github.com/acme/web', 'https://'],
    ['/srv/git/web.git', 'path of a machine'],
    ['file:///srv/git/web.git', 'path of a machine'],
    ['git@127.0.0.1:acme/web', 'public host'],
    ['git@0x7f.1:acme/web', 'public host'],
    ['https://localhost:3000/acme/web', 'public host'],
    ['ssh://git@[::1]/acme/web', 'public host'],
  ])('only where local targets are allowed: %s', (url, rule) => {
    expect(vetGitUrl(url, production)).toEqual({ isAllowed: false, message: expect.stringContaining(rule) });
    expect(vetGitUrl(url, onLoopback)).toEqual({ isAllowed: true });
  });

  it.each(['https://10.1.2.3/acme/web', 'git@192.168.1.1:acme/web'])('not outside of the allowed ranges: %s', (url) => {
    const refused = { isAllowed: false, message: expect.stringContaining('WEBHOOK_ALLOWED_CIDRS') };
    expect(vetGitUrl(url, onLoopback)).toEqual(refused);
  });

  it('never if it cannot be a repository', () => {
    expect(vetGitUrl('ext::sh', onLoopback)).toMatchObject({ isAllowed: false });
  });
});
