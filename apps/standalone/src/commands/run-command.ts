import { AppError, StartError } from '@eas/core';
import { sqlStateOf } from '@eas/db';
import { EmbeddedPostgresError } from '@eas/db/embedded-postgres';
import { SettingsError } from '@eas/runtime';
import { z } from 'zod';
import { type Config, loadConfig } from '../config.ts';
import type { Command } from './command.ts';
import { helpOf } from './commands.ts';

/** Runs a command as from a terminal and gives its exit code. What is wrong is one line on stderr. */
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
    return (await command.run(args, readConfig())) ?? 0;
  } catch (error) {
    process.stderr.write(`${explain(error, `${name} ${command.usage}`)}\n`);
    return 1;
  }
}

function explain(error: unknown, usage: string): string {
  if (error instanceof StartError || error instanceof EmbeddedPostgresError || error instanceof SettingsError) {
    return error.message;
  }
  if (error instanceof AppError) return error.message;
  if (error instanceof z.ZodError) return explainInput(error);
  const state = sqlStateOf(error);
  if (state !== undefined) return `Postgres refused it: ${(error as Error).message} (SQLSTATE ${state}).`;
  const { code, message, stack } = error as Error & { code?: string };
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${message.split('.')[0]}. Usage: ${usage}`;
  if (code === 'ECONNREFUSED') return 'The database cannot be reached. Start the system or set DATABASE_URL.';
  return stack ?? String(error);
}

/** Options have the names of the fields that they fill, with hyphens. */
function explainInput({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.findLast((part) => typeof part === 'string') ?? 'the input';
  return `--${String(field).replaceAll('_', '-')}: ${issue?.message ?? 'is invalid'}.`;
}
