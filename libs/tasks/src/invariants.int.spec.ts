import { AppError } from '@eas/core';
import { runsOf, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyHistory, openStage } from '../test/history.ts';
import { fencingTokens, findBreaches } from '../test/invariants.ts';

const test = useTestDatabase();

describe("any history of a tenant's tasks, concurrent or sequential", () => {
  it('keeps one live lease per task in progress, consistent slots and timelines, and publishes every change once', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (moments) => {
        const { ctx, play } = await openStage(test);
        let tokens = await fencingTokens(ctx);
        for (const acts of moments) {
          const outcomes = await Promise.allSettled(acts.map(play));
          // Actions may be refused, but none may fail unexpectedly.
          const broken = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
          expect(broken.filter((error) => !(error instanceof AppError))).toEqual([]);
          expect(await findBreaches(ctx)).toEqual([]);
          const after = await fencingTokens(ctx);
          for (const [id, token] of tokens) expect(after.get(id)).toBeGreaterThanOrEqual(token);
          tokens = after;
        }
      }),
      { numRuns: runsOf(5, 40), endOnFailure: true },
    );
  });
});
