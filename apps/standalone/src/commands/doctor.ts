import { checkDatabase } from '@eas/db/admin';
import { hasCluster } from '@eas/db/embedded-postgres';
import type { Config } from '../config.ts';
import { examineDatabase } from '../diagnosis/examine-database.ts';
import { examineHost, wrongSettings } from '../diagnosis/examine-host.ts';
import { examineRedis } from '../diagnosis/examine-redis.ts';
import { fail, type Finding } from '../diagnosis/finding.ts';
import { say } from '../terminal.ts';
import { defineCommand, jsonOption } from './command.ts';
import { withDatabase } from './with-database.ts';

const options = { json: jsonOption } as const;

export const doctorCommand = defineCommand({
  usage: '[--json]',
  about:
    'checks settings, stores, migrations, clocks, disk, partitions, keys, backups and what is late; says what to do, and exits with 1 when something fails',
  options,
  async run({ values }, config) {
    return report([...(await examineHost(config)), ...(await examineStores(config))], values.json);
  },
  onWrongSettings: ({ values }, error) => report([wrongSettings(error)], values.json),
});

/** Gives the exit code. */
function report(findings: readonly Finding[], json: boolean | undefined): number {
  if (json) say(JSON.stringify(findings, null, 2));
  else findings.forEach((finding) => say(lineOf(finding)));
  return findings.some(({ level }) => level === 'fail') ? 1 : 0;
}

async function examineStores(config: Config): Promise<Finding[]> {
  const { url } = config.redis;
  return [...(await examinePostgres(config)), ...(url === undefined ? [] : await examineRedis(url))];
}

async function examinePostgres(config: Config): Promise<Finding[]> {
  if (!config.databaseUrl && !hasCluster(config.dataDir))
    return [fail('postgres', `there is no database in ${config.dataDir}`, 'Run npm start, or set DATABASE_URL.')];
  try {
    // Commands go past a pooler, the apps do not.
    if (config.databaseUrl) await checkDatabase(config.databaseUrl);
    return await withDatabase(config, (url, setting) => examineDatabase(config, { url, setting }));
  } catch (error) {
    const advice = 'Correct this first: nothing else was checked there.';
    return [fail('postgres', (error as Error).message.replace(/\.$/, ''), advice)];
  }
}

const lineOf = ({ level, check, message, advice }: Finding) =>
  `${level.padEnd(4)}  ${check}: ${message}.${advice === null ? '' : ` ${advice}`}`;
