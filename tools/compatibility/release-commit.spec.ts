import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findReleaseCommit } from './release-commit.ts';

let folder = '';
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();
const commit = (): string => {
  git('commit', '--quiet', '--allow-empty', '--no-gpg-sign', '--message', 'test');
  return git('rev-parse', 'HEAD');
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'eas-release-commit-'));
  git('init', '--quiet');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the commit of a release', () => {
  it('is that of its tag, or the one that is listed when it has none', () => {
    const [listed, tagged] = [commit(), commit()];
    expect(findReleaseCommit('1.0.0', { '1.0.0': listed }, folder)).toBe(listed);
    git('tag', '--annotate', '--no-sign', '--message', 'test', 'v1.0.0', tagged);
    expect(findReleaseCommit('1.0.0', { '1.0.0': listed }, folder)).toBe(tagged);
  });

  it('is missing in a shallow clone, whose error says how to get it', () => {
    const elsewhere = '0123456789abcdef0123456789abcdef01234567';
    expect(() => findReleaseCommit('2.0.0', { '2.0.0': elsewhere }, folder)).toThrow(
      `This clone does not have commit ${elsewhere} of v2.0.0: git fetch --unshallow`,
    );
    expect(() => findReleaseCommit('2.0.0', {}, folder)).toThrow(/^v2\.0\.0 has no tag here .*: git fetch --tags$/);
  });
});
