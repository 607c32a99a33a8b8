import { adminLinkCommand } from './admin.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import type { Command } from './command.ts';
import { diffCommand, migrateCommand, resetCommand, seedCommand } from './db.ts';
import { listDeadCommand, retryDeadCommand } from './operating/dead.ts';
import { doctorCommand } from './doctor.ts';
import { rebuildFiguresCommand } from './operating/figures.ts';
import { createKeyCommand, listKeysCommand, revokeKeyCommand } from './key.ts';
import { recordBackupCommand } from './record-backup.ts';
import { rolesCommand } from './roles.ts';
import { reconcileCommand } from './operating/reconcile.ts';
import { replayCommand } from './operating/replay.ts';
import { resealCommand } from './reseal.ts';
import { createTenantCommand, deleteTenantCommand, listTenantsCommand } from './tenant.ts';

export const commands: Readonly<Record<string, Command>> = {
  'db:migrate': migrateCommand,
  'db:roles': rolesCommand,
  'db:seed': seedCommand,
  'db:diff': diffCommand,
  'db:reset': resetCommand,
  'tenant:list': listTenantsCommand,
  'tenant:create': createTenantCommand,
  'tenant:delete': deleteTenantCommand,
  'key:list': listKeysCommand,
  'key:create': createKeyCommand,
  'key:revoke': revokeKeyCommand,
  'admin:link': adminLinkCommand,
  'dead:list': listDeadCommand,
  'dead:retry': retryDeadCommand,
  replay: replayCommand,
  reconcile: reconcileCommand,
  reseal: resealCommand,
  'figures:rebuild': rebuildFiguresCommand,
  backup: backupCommand,
  'backup:record': recordBackupCommand,
  restore: restoreCommand,
  doctor: doctorCommand,
};

export function listCommands(): string {
  return Object.entries(commands)
    .map(([name, { usage, about }]) => `  ${name} ${usage}\n      ${about}\n`)
    .join('');
}

export function helpOf(name: string, { usage, about, options = {} }: Command): string {
  const lines = Object.entries(options).map(([option, { type, default: value, about: meaning }]) => {
    const shown = type === 'string' ? `--${option} <${option}>` : `--${option}`;
    return `  ${shown}  ${meaning}${value === undefined ? '' : ` (default: ${value})`}\n`;
  });
  const listed = lines.length === 0 ? '' : `\nOptions:\n${lines.join('')}`;
  return `Usage: npm run cmd -- ${`${name} ${usage}`.trim()}\n\n${about}\n${listed}`;
}
