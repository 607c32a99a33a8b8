import { describe, expect, it } from '@jest/globals';
import { assertVersion } from './assert-version.ts';

describe('assertVersion', () => {
  it('lets through a version that the caller named, and any where it named none', () => {
    expect(() => assertVersion(3, [1, 3])).not.toThrow();
    expect(() => assertVersion(3, undefined)).not.toThrow();
  });

  it.each([[[]], [[2]], [[2, 4]]])('throws the 412 of another version: %j', (ifMatch) => {
    const violations = [{ field: 'If-Match', constraint: 'version' }];
    const error = expect.objectContaining({ code: 'invalid_request', status: 412, violations });
    expect(() => assertVersion(3, ifMatch)).toThrow(error as unknown as Error);
  });
});
