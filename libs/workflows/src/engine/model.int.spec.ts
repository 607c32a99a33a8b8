import { runsOf, useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyDefinition } from '../../test/any-definition.ts';
import { anyCommands, assertAgreement, bringToAnEnd } from '../../test/run-commands.ts';
import { createModel } from '../../test/run-model.ts';
import { breachesOf } from '../../test/run-state.ts';
import { openScene } from '../../test/scene.ts';

const test = useTestDatabase();

describe('runs of any workflow', () => {
  const flagsOfRuns = fc.array(fc.boolean(), { minLength: 1, maxLength: 3 });

  it('end in the expected state, each step done once per attempt, whatever happens to agents and jobs', async () => {
    await fc.assert(
      fc.asyncProperty(anyDefinition, flagsOfRuns, anyCommands, async (definition, flags, commands) => {
        const scene = await openScene(test, definition);
        const ids = await Promise.all(flags.map((flag) => scene.start({ flag })));
        const runs = { ids, models: flags.map((flag) => createModel(definition, flag)) };
        await fc.asyncModelRun(() => ({ model: runs, real: scene }), commands);
        await bringToAnEnd({ runs, scene });
        await assertAgreement({ runs, scene });
        expect(runs.models.filter(({ status }) => status === 'started')).toEqual([]);
        for (const [index, model] of runs.models.entries())
          expect(await breachesOf(scene.ctx, ids[index] ?? '', model)).toEqual([]);
      }),
      { numRuns: runsOf(15, 80), endOnFailure: true },
    );
  });
});
