import { describe, expect, it } from '@jest/globals';
import { gitFailure } from './git-failure.ts';

describe('a failure of git', () => {
  it.each([
    ['fatal: unable to access …: Could not resolve host: git.example.com', true],
    ['fatal: unable to access …: The requested URL returned error: 503', true],
    ['ssh: connect to host git.example.com port 22: Connection refused', true],
    ['fatal: write error: No space left on device', true],
    ['error: unable to write file: Disk quota exceeded', true],
    ['it did not end within 600 s', true],
    ['fatal: an unknown failure', true],
    ['remote: Repository not found.\nfatal: repository https://github.com/acme/x/ not found', false],
    ['fatal: Authentication failed for https://git.example.com/acme/web/', false],
    ['fatal: could not read Username for https://github.com: terminal prompts disabled', false],
    ['git@github.com: Permission denied (publickey).', false],
    ['The requested URL returned error: 403', false],
    ["fatal: '/srv/git/none' does not appear to be a git repository", false],
    ["fatal: transport 'ext' not allowed", false],
    ['Host key verification failed.', false],
  ])('%j: another try can help: %s', (message, isRetryable) =>
    expect(gitFailure(['fetch', '--', 'x'], message).isRetryable).toBe(isRetryable),
  );

  it('shows no credentials and no hints', () => {
    const { message } = gitFailure(['push'], 'hint: try --force\nfatal: https://me:secret@git.example.com/x refused\n');
    expect(message).toBe('git push failed: fatal: https://git.example.com/x refused');
  });
});
