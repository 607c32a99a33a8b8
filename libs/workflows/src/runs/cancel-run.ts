import type { UseCaseContext } from '@eas/db';
import { cancel } from '../engine/commands.ts';
import { commandRun } from './command-run.ts';
import type { RunCall } from './open-runs.ts';

/** Cancels a run with its open steps and their tasks. Throws 409 `state` for one that has ended. */
export const cancelRun = (ctx: UseCaseContext, call: RunCall) => commandRun(ctx, call, cancel);
