import { runsOf, useTestDatabase } from '@eas/testing';
import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { anyHistory } from '../../test/any-history.ts';

const test = useTestDatabase();

describe('runs of any workflow', () => {
  it('end in the expected state, each step done once per attempt, whatever happens to agents and jobs', async () => {
    await fc.assert(anyHistory(test, { isAtOnce: false }), { numRuns: runsOf(15, 80), endOnFailure: true });
  });
});
