import { parseArgs } from 'node:util';
import { AppError, StartError } from '@eas/core';
import { sqlStateOf } from '@eas/db';
import { EmbeddedPostgresError } from '@eas/db/embedded-postgres';
import { SettingsError } from '@eas/runtime';
import { z } from 'zod';
import { type Config, loadConfig } from '../config.ts';
import type { Command } from './command.ts';
import { helpOf } from './commands.ts';

/** Runs a command as from a terminal and returns its exit code. Errors are one line on stderr. */
export async function runCommand(
  name: string,
  command: Command,
  args: string[],
  readConfig: () => Config = loadConfig,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpOf(name, command));
    return 0;
  }
  try {
    const input = readInput(name, command, args);
    const config = readSettings(readConfig, command.onWrongSettings !== undefined);
    if (config instanceof SettingsError) return command.onWrongSettings?.(input, config) ?? 1;
    return (await command.run(input, config)) ?? 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** Unknown options and words are errors. */
function readInput(name: string, { options = {}, maxWords = 0 }: Command, args: string[]) {
  const help = `See npm run cmd -- ${name} --help.`;
  try {
    const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true });
    const surplus = words[maxWords];
    if (surplus === undefined) return { values, words };
    throw new StartError(`Unexpected argument '${surplus}'. Put a value with spaces in quotes. ${help}`);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new StartError(`${message.split('.')[0]?.split('\n')[0]}. ${help}`, error);
  }
}

function readSettings(readConfig: () => Config, isFinding: boolean): Config | SettingsError {
  try {
    return readConfig();
  } catch (error) {
    if (isFinding && error instanceof SettingsError) return error;
    throw error;
  }
}

function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof EmbeddedPostgresError || error instanceof SettingsError) {
    return error.message;
  }
  if (error instanceof AppError) return error.message;
  if (error instanceof z.ZodError) return explainInput(error);
  const state = sqlStateOf(error);
  if (state !== undefined) return `Postgres refused it: ${(error as Error).message} (SQLSTATE ${state}).`;
  const { code, stack } = error as Error & { code?: string };
  if (code === 'ECONNREFUSED') return 'The database cannot be reached. Start the system or set DATABASE_URL.';
  return stack ?? String(error);
}

/** Options have the names of the fields that they fill, with hyphens. */
function explainInput({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.findLast((part) => typeof part === 'string') ?? 'the input';
  return `--${String(field).replaceAll('_', '-')}: ${issue?.message ?? 'is invalid'}.`;
}
