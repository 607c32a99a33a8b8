import { expect } from '@jest/globals';
import fc from 'fast-check';
import { anyDefinition } from './any-definition.ts';
import { anyCommands, assertAgreement, bringToAnEnd } from './run-commands.ts';
import { createModel } from './run-model.ts';
import { breachesOf } from './run-state.ts';
import { openScene, type TestDatabase } from './scene.ts';

const flagsOfRuns = fc.array(fc.boolean(), { minLength: 1, maxLength: 3 });

/**
 * Runs of any workflow agree with the model after each command and at the end, whatever happens to agents and jobs.
 * `isAtOnce`: the database of the test has them advance with the calls on their tasks.
 */
export const anyHistory = (test: TestDatabase, { isAtOnce }: { isAtOnce: boolean }) =>
  fc.asyncProperty(anyDefinition, flagsOfRuns, anyCommands, async (definition, flags, commands) => {
    const scene = await openScene(test, definition);
    const ids = await Promise.all(flags.map((flag) => scene.start({ flag })));
    const runs = { ids, models: flags.map((flag) => createModel(definition, flag)), isAtOnce };
    await fc.asyncModelRun(() => ({ model: runs, real: scene }), commands);
    await bringToAnEnd({ runs, scene });
    await assertAgreement({ runs, scene });
    expect(runs.models.filter(({ status }) => status === 'started')).toEqual([]);
    for (const [index, model] of runs.models.entries())
      expect(await breachesOf(scene.ctx, ids[index] ?? '', model)).toEqual([]);
  });
