import type { UseCaseContext } from '@eas/db';
import { pause } from '../engine/commands.ts';
import { commandRun } from './command-run.ts';
import type { RunCall } from './open-runs.ts';

/**
 * Lets a run start no further step; steps in progress continue. Throws 409 `state` for one that has ended or is paused.
 */
export const pauseRun = (ctx: UseCaseContext, call: RunCall) => commandRun(ctx, call, pause);
