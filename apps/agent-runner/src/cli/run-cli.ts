import { CommanderError } from 'commander';
import { CliError, exitCodes } from './cli-error.ts';
import type { World } from './context.ts';
import { createProgram } from './program.ts';

/** Runs a command line. Returns the exit code; errors are one sentence on stderr. */
export async function runCli(args: readonly string[], version: string, world: World): Promise<number> {
  try {
    await createProgram(version, world).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed it.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (error instanceof CliError) {
      if (error.message !== '') world.writeErr(`${error.message}\n`);
      return error.exitCode;
    }
    world.writeErr(`${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
}
