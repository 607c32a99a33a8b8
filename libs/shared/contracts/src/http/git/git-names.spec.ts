import { describe, expect, it } from '@jest/globals';
import { branchProblem, copyPathProblem } from './git-names.ts';

describe('the name of a branch', () => {
  it.each(['main', 'release/1.2', 'feature/näh', 'a-b_c', 'HEAD/x', 'x@y'])('%s is one', (name) =>
    expect(branchProblem(name)).toBeUndefined(),
  );

  it.each([
    '-b',
    '--upload-pack=x',
    'a b',
    'a\u0007',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[0]',
    'a\\b',
    'a..b',
    'a@{1}',
    '@',
    'HEAD',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
  ])('%j is none', (name) => expect(branchProblem(name)).toMatch(/^must /));
});

describe('a path of files to copy', () => {
  it.each(['.env', './.env', 'config/*.local.json', '**/.env.*', 'a..b', '.github/x'])('%s is one', (path) =>
    expect(copyPathProblem(path)).toBeUndefined(),
  );

  it.each([
    '/etc/passwd',
    '~/.ssh/id_rsa',
    'C:/secrets',
    '../.env',
    'a/../../b',
    'a/..',
    '-rf',
    'a\\b',
    'a\u0000',
    '.git/hooks/pre-commit',
    'sub/.GIT/config',
  ])('%j is none', (path) => expect(copyPathProblem(path)).toMatch(/^must /));
});
