import { EmbeddedPostgresError } from '@eas/db/embedded-postgres';
import { SettingsError } from '@eas/runtime';
import { adminLinkCommand } from './admin.ts';
import type { Command } from './command.ts';
import { diffCommand, migrateCommand, resetCommand, seedCommand } from './db.ts';
import { createKeyCommand } from './key.ts';
import { createTenantCommand, deleteTenantCommand } from './tenant.ts';
import { loadConfig } from '../config.ts';
import { StartError } from '@eas/core';

const commands: Record<string, Command> = {
  'db:migrate': migrateCommand,
  'db:seed': seedCommand,
  'db:diff': diffCommand,
  'db:reset': resetCommand,
  'tenant:create': createTenantCommand,
  'tenant:delete': deleteTenantCommand,
  'key:create': createKeyCommand,
  'admin:link': adminLinkCommand,
};

const [name = '', ...args] = process.argv.slice(2);
process.exitCode = await run(name, args);

async function run(commandName: string, commandArgs: string[]): Promise<number> {
  const command = commands[commandName];
  if (!command) {
    if (commandName !== '') process.stderr.write(`Unknown command: ${commandName}.\n`);
    process.stderr.write(`Usage: npm run cmd -- <command> …\n\nCommands:\n${listCommands()}`);
    return commandName === '' ? 0 : 1;
  }
  try {
    await command.run(commandArgs, loadConfig());
    return 0;
  } catch (error) {
    process.stderr.write(`${explain(error, `${commandName} ${command.usage}`)}\n`);
    return 1;
  }
}

function listCommands(): string {
  return Object.entries(commands)
    .map(([commandName, { usage, about }]) => `  ${commandName} ${usage}\n      ${about}\n`)
    .join('');
}

function explain(error: unknown, usage: string): string {
  if (error instanceof StartError || error instanceof EmbeddedPostgresError || error instanceof SettingsError) {
    return error.message;
  }
  const { code, message, stack } = error as Error & { code?: string };
  if (code?.startsWith('ERR_PARSE_ARGS')) return `${message.split('.')[0]}. Usage: ${usage}`;
  if (code === 'ECONNREFUSED') return 'The database cannot be reached. Start the system or set DATABASE_URL.';
  return stack ?? String(error);
}
