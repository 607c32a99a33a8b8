import { parseArgs } from 'node:util';
import { StartError } from '@eas/core';
import { checkDatabase } from '@eas/db/admin';
import { EmbeddedPostgresError } from '@eas/db/embedded-postgres';
import { SettingsError } from '@eas/runtime';
import type { Config } from '../config.ts';
import { examineDatabase } from '../diagnosis/examine-database.ts';
import { examineHost } from '../diagnosis/examine-host.ts';
import { examineRedis } from '../diagnosis/examine-redis.ts';
import { fail, type Finding } from '../diagnosis/finding.ts';
import { say } from '../terminal.ts';
import { type Command, jsonOption } from './command.ts';
import { withDatabase } from './with-database.ts';

const options = { json: jsonOption } as const;

export const doctorCommand: Command = {
  usage: '[--json]',
  about:
    'checks settings, stores, migrations, clocks, disk, partitions, keys and what is late; says what to do, and exits with 1 when something fails',
  options,
  async run(args, config) {
    const { values } = parseArgs({ args, options });
    const findings = [...(await examineHost(config)), ...(await examineStores(config))];
    if (values.json) say(JSON.stringify(findings, null, 2));
    else findings.forEach((finding) => say(lineOf(finding)));
    return findings.some(({ level }) => level === 'fail') ? 1 : 0;
  },
};

async function examineStores(config: Config): Promise<Finding[]> {
  const { url } = config.redis;
  return [...(await examinePostgres(config)), ...(url === undefined ? [] : await examineRedis(url))];
}

async function examinePostgres(config: Config): Promise<Finding[]> {
  try {
    // Commands go past a pooler, the apps do not.
    if (config.databaseUrl) await checkDatabase(config.databaseUrl);
    return await withDatabase(config, (url) => examineDatabase(config, url));
  } catch (error) {
    const isSaid =
      error instanceof StartError || error instanceof EmbeddedPostgresError || error instanceof SettingsError;
    if (!isSaid) throw error;
    return [fail('postgres', error.message.replace(/\.$/, ''), 'Correct this first: nothing else was checked there.')];
  }
}

const lineOf = ({ level, check, message, advice }: Finding) =>
  `${level.padEnd(4)}  ${check}: ${message}.${advice === null ? '' : ` ${advice}`}`;
