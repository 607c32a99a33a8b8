import { expect, it } from '@jest/globals';
import { withPlainPaths } from './finding-paths.ts';

it.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['src//x/../a.ts', 'src/a.ts'],
  ['/srv/web/src/a.ts', 'src/a.ts'],
  ['/srv/api/a.ts', '/srv/api/a.ts'],
  ['../api/a.ts', '../api/a.ts'],
])('the path %s of a finding is seen from the folder that was reviewed', (path, expected) => {
  const result = { decision: 'reject', findings: [{ path, line: 1, body: 'x' }, 'no finding'] };
  const plain = { decision: 'reject', findings: [{ path: expected, line: 1, body: 'x' }, 'no finding'] };
  expect(withPlainPaths(result, '/srv/web')).toEqual(plain);
});

it('a result without findings stays as it is', () => {
  expect(withPlainPaths({ decision: 'approve', findings: 'none' }, '/srv')).toEqual({
    decision: 'approve',
    findings: 'none',
  });
});
