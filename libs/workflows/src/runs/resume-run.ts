import type { UseCaseContext } from '@eas/db';
import { resume } from '../engine/commands.ts';
import { commandRun } from './command-run.ts';
import type { RunCall } from './open-runs.ts';

/** Lets a paused run go on. Throws 409 `state` for any other. */
export const resumeRun = (ctx: UseCaseContext, call: RunCall) => commandRun(ctx, call, resume);
