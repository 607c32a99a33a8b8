import { describe, expect, it } from '@jest/globals';
import { routeOf } from './mount.ts';

describe('the route of a call of the protocol, for log and metrics', () => {
  it.each(['/oauth/authorize', '/oauth/token', '/oauth/revoke', '/oauth/introspect'])('%s is its path', (path) =>
    expect(routeOf(path)).toBe(path),
  );

  it('names no authorization in progress', () => {
    expect(routeOf('/oauth/authorize/4koXwvhtxY6rbDD0py7RPP9xiD3eyhvOZDAjiE7nXsR')).toBe('/oauth/authorize/{uid}');
  });

  it.each(['/oauth', '/oauth/', '/oauth/token/x', '/oauth/authorize/a/b', '/oauth/TOKEN', '/oauth/made-up'])(
    '%s has none',
    (path) => expect(routeOf(path)).toBeUndefined(),
  );
});
