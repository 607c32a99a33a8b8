import { StartError } from '@eas/core';
import { integer } from '@eas/runtime';
import { z } from 'zod';
import { recordIn } from '../backup/record.ts';
import { say } from '../terminal.ts';
import { defineCommand } from './command.ts';
import { withDatabase } from './with-database.ts';

const options = {
  'taken-at': { type: 'string', about: 'time that the backup has, such as 2026-11-20T02:00:00Z (default: now)' },
  bytes: { type: 'string', about: 'its size' },
} as const;

const facts = z.object({
  taken_at: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-20T02:00:00Z' }).optional(),
  bytes: integer(0, 999_999_999_999_999).optional(),
});

/** Of the machine that made the backup. */
const clockSkewMs = 60_000;

/** As the table has it. */
const toolName = /^[a-z0-9][a-z0-9_-]{0,39}$/;

export const recordBackupCommand = defineCommand({
  usage: '<tool> [--taken-at time] [--bytes size]',
  about:
    'records that another tool, such as pgbackrest, made a backup of the database, for the alert EasBackupOld; `backup` does so itself',
  options,
  maxWords: 1,
  async run({ values, words: [tool = ''] }, config) {
    if (!toolName.test(tool))
      throw new StartError('Name the tool: up to 40 lower-case letters, digits, hyphens and underscores.');
    const { taken_at: takenAt, bytes } = facts.parse({ taken_at: values['taken-at'], bytes: values.bytes });
    const ageMs = takenAt === undefined ? 0 : Date.now() - Date.parse(takenAt);
    if (ageMs < -clockSkewMs) throw new StartError('--taken-at must not be in the future.');
    const made = { tool, ageMs: Math.max(0, ageMs), bytes };
    await withDatabase(config, (url, setting) => recordIn({ url, setting }, made));
    say(`recorded a backup by ${tool}`);
  },
});
