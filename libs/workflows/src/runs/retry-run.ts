import type { UseCaseContext } from '@eas/db';
import { retry } from '../engine/commands.ts';
import { commandRun } from './command-run.ts';
import type { RunCall } from './open-runs.ts';

/** Goes on with a failed run from where it failed; completed steps stay. Throws 409 `state` for any other. */
export const retryRun = (ctx: UseCaseContext, call: RunCall) => commandRun(ctx, call, retry);
