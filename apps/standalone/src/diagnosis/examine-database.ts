import { createSecretBox } from '@eas/core';
import { type Database, newestBackup, openDatabase, sqlStateOf, tryCanaries } from '@eas/db';
import {
  checkDatabase,
  contracts,
  readIdentity,
  readMigrationState,
  readMissingSettings,
  readMonthGaps,
  readServerFacts,
  readTableSizes,
  type ServerFacts,
} from '@eas/db/admin';
import { databaseSettings, loadSettings } from '@eas/runtime';
import { appNames } from '../apps.ts';
import type { Config } from '../config.ts';
import { shownAddress } from '../database-address.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { hasSecret } from '../data-folder/kept-secret.ts';
import { createTerminalLogger } from '../terminal.ts';
import { clockSkew } from './clock-skew.ts';
import { examineServer } from './examine-server.ts';
import { fail, type Finding, gigabytes, ok, unless, warn } from './finding.ts';

type Address = { url: string; setting: string };

/** Reads only; what cannot be read is a finding. Throws a StartError when the database cannot be used. */
export function examineDatabase(config: Config, address: Address): Promise<Finding[]> {
  return withDoctorDatabase(address, async (database) => [
    ...(await orFinding('postgres', () => examineFacts(config, database))),
    ...(await orFinding('addresses', () => examineAddresses(config))),
    ...(await orFinding('pooler', () => examinePooler(config))),
    ...(await orFinding('migrations', async () => [await examineMigrations(database)])),
    ...(await orFinding('partitions', async () => [await examinePartitions(database)])),
    ...(await orFinding('size', async () => [await examineSizes(database)])),
    ...(await orFinding('encryption key', async () => [await examineKeys(config, database)])),
    ...(await orFinding('outbox', () => examineOutbox(database))),
    ...(await orFinding('backup', () => examineBackup(config, database))),
  ]);
}

async function examineFacts(config: Config, { db }: Database): Promise<Finding[]> {
  const askedAt = Date.now();
  const facts = await readServerFacts(db, appNames);
  const answeredAt = Date.now();
  const ofApps = loadSettings({ poolSize: databaseSettings.poolSize }, config.inheritedEnv);
  return [
    ...examineServer(facts, { size: ofApps.poolSize, isPooled: config.databaseDirectUrl !== undefined }),
    ...examineRole(config, facts),
    ...examineFigures(config, facts),
    clockSkew('postgres clock', facts.now.getTime(), askedAt, answeredAt),
  ];
}

/** A part that cannot be examined does not prevent the others. */
async function orFinding(check: string, examine: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examine();
  } catch (error) {
    const message = (error as Error).message.replace(/\.$/, '');
    const advice = advices[sqlStateOf(error) ?? ''] ?? 'Correct this, then run doctor again.';
    return [fail(check, `it cannot be examined: ${message}`, advice)];
  }
}

const advices: Readonly<Record<string, string>> = {
  '42501': 'Run db:roles, which grants what the role of DATABASE_URL needs.',
  '42P01': 'Run npm run db:migrate.',
  '42883': 'Run npm run db:migrate.',
};

async function examineSizes({ db }: Database): Promise<Finding> {
  const sizes = await readTableSizes(db);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const texts = sizes.map(({ kind, bytes, rows }) => {
    const each = rows > 0 ? ` (${rows.toLocaleString('en')}, each ${(bytes / rows / 1_000).toFixed(1)} kB)` : '';
    return `${kind} ${gigabytes(bytes)}${each}`;
  });
  return ok('size', `the tables have ${gigabytes(all)}: ${texts.join(', ')}`);
}

/** All that are set have to lead to one database. */
async function examineAddresses({ databaseUrl, databaseDirectUrl, migrateDatabaseUrl }: Config): Promise<Finding[]> {
  const others = { DATABASE_DIRECT_URL: databaseDirectUrl, MIGRATE_DATABASE_URL: migrateDatabaseUrl };
  if (!databaseUrl || Object.values(others).every((url) => !url)) return [];
  const expected = await readIdentity(databaseUrl);
  const findings: Finding[] = [];
  for (const [setting, url] of Object.entries(others)) {
    if (!url) continue;
    await checkDatabase(url, setting);
    const { database, server } = await readIdentity(url);
    const isSameServer = !server || !expected.server || server === expected.server;
    if (database === expected.database && isSameServer) continue;
    const shown = shownAddress({ url, setting });
    const message = `${shown} is another database than ${shownAddress({ url: databaseUrl, setting: 'DATABASE_URL' })}`;
    findings.push(fail('addresses', message, 'Set all of them to one database.'));
  }
  return findings.length > 0 ? findings : [ok('addresses', 'all lead to one database')];
}

async function withDoctorDatabase<T>(
  address: Address & { directUrl?: string },
  work: (database: Database) => Promise<T>,
) {
  const logger = createTerminalLogger(() => false);
  const database = await openDatabase({
    ...address,
    poolSize: 1,
    applicationName: 'doctor',
    logger,
    isAnyRelease: true,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Commands use the embedded database as its owner, unlike the apps. */
function examineRole({ databaseUrl }: Config, { mayChangeTables, role }: ServerFacts): Finding[] {
  if (!databaseUrl || !mayChangeTables) return [];
  const advice = 'Set MIGRATE_DATABASE_URL to it and DATABASE_URL to a role of the apps, then run db:roles.';
  return [warn('database role', `the apps connect as ${role}, which may change tables`, advice)];
}

function examineFigures({ databaseUrl }: Config, { mayMonitor, role }: ServerFacts): Finding[] {
  if (!databaseUrl || mayMonitor) return [];
  const message = `${role} does not see transactions of other roles, standbys and the WAL: alerts for these are silent`;
  return [warn('database figures', message, `As a superuser run GRANT pg_monitor TO "${role}".`)];
}

/** As the alert EasBackupOld. */
const oldBackupHours = 30;

/** The embedded database is for trying the system out. */
async function examineBackup({ databaseUrl }: Config, { db }: Database): Promise<Finding[]> {
  if (!databaseUrl) return [];
  const newest = await newestBackup(db);
  const advice = 'See docs/operate/backup.md; after each backup of another tool run backup:record.';
  if (!newest) return [warn('backup', 'none was ever recorded', advice)];
  const hours = Math.round(newest.ageSeconds / 3_600);
  const message = `the newest, by ${newest.tool}, is ${hours} hours old`;
  return [unless(hours >= oldBackupHours && warn('backup', message, advice), 'backup', message)];
}

/** What the apps set for their connections themselves, but behind a pooler. */
async function examinePooler({ databaseUrl, databaseDirectUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl || !databaseDirectUrl) return [];
  const missing = await withDoctorDatabase(
    { url: databaseUrl, setting: 'DATABASE_URL', directUrl: databaseDirectUrl },
    ({ db }) => readMissingSettings(db),
  );
  const lacking = missing.map(({ name, value }) => `${name} = ${value}`).join(', ');
  const advice = 'Set them for its role with ALTER ROLE as in docs/operate/scale.md, then reconnect the pooler.';
  const problem = missing.length > 0 && warn('pooler', `connections through it lack ${lacking}`, advice);
  return [unless(problem, 'pooler', 'connections through it have the settings of the apps')];
}

async function examineMigrations({ db }: Database): Promise<Finding> {
  const name = 'migrations';
  const { missing, unknown, unfinished } = await readMigrationState(db);
  const stuck = unfinished.filter((one) => !missing.includes(one));
  if (stuck.length > 0)
    return fail(
      name,
      `${stuck.join(', ')} did not end`,
      'Run npm run db:migrate, which applies it again or says what to do.',
    );
  if (missing.length > 0)
    return fail(name, `the database lacks ${missing.length}, first ${missing[0]}`, 'Run npm run db:migrate.');
  if (unknown.length === 0) return ok(name, 'the database is at the newest migration');
  const contracted = unknown.find(contracts);
  if (contracted !== undefined)
    return fail(
      name,
      `the database is ahead: ${contracted} removed what this version needs`,
      'Start a version that has this migration.',
    );
  const message = `the database is ahead of this version: ${unknown.join(', ')}`;
  return warn(name, message, 'Run the version that made these, unless you are going back on purpose.');
}

async function examinePartitions({ db }: Database): Promise<Finding> {
  const [gap] = await readMonthGaps(db);
  const advice = 'Start the orchestrator, which makes them; until then rows go to the default partitions.';
  const problem = gap && warn('partitions', `${gap.tables.join(', ')} have none for ${gap.month}`, advice);
  return unless(problem, 'partitions', 'they are there for this month and the next two');
}

async function examineKeys(config: Config, { db }: Database): Promise<Finding> {
  const name = 'encryption key';
  if (config.databaseUrl && !config.encryptionKeys)
    return fail(name, 'ENCRYPTION_KEY is not set', 'Set the key that the data was encrypted with.');
  if (!config.encryptionKeys && !hasSecret(config.dataDir, 'encryption-key'))
    return fail(
      name,
      `${config.dataDir}/encryption-key is missing`,
      'Restore the file, or set ENCRYPTION_KEY to the key that the data was encrypted with.',
    );
  const secrets = createSecretBox(
    encryptionKeyOf(config)
      .split(',')
      .map((key) => key.trim()),
  );
  const { known, closed } = await tryCanaries(db, secrets);
  if (known.length > 0 && closed.length === known.length)
    return fail(
      name,
      `the data was encrypted with ${closed.join(', ')}`,
      'Set that key; a new one goes in front of it.',
    );
  if (closed.length > 0)
    return warn(name, `keys that encrypted data are missing: ${closed.join(', ')}`, 'Add them, then run reseal.');
  const older = known.filter((id) => id !== secrets.keyId);
  if (older.length > 0)
    return warn(name, `older keys are still in use: ${older.join(', ')}`, 'Run reseal, then remove them.');
  return ok(name, `key ${secrets.keyId} fits the data`);
}

/** Above this age some process does not work. */
const lateSeconds = 60;

async function examineOutbox(database: Database): Promise<Finding[]> {
  const { readOutboxState } = await import('@eas/queue');
  const { unsentSeconds, sentSeconds, dead } = await database.inTransaction('', (tx) => readOutboxState(tx.db));
  const late = (message: string, seconds: number, advice: string) =>
    seconds > lateSeconds && warn('outbox', `${message} for ${Math.round(seconds)} s`, advice);
  const problem =
    late('events wait to be sent', unsentSeconds, 'Start the orchestrator, or look at its log.') ||
    late('events in the queues wait for a consumer', sentSeconds, 'Start the workers, or look at their logs.');
  const deadEvents =
    dead > 0 && warn('dead events', `${dead} events were given up`, 'See dead:list; fix the cause, then dead:retry.');
  return [unless(problem, 'outbox', 'nothing is late'), unless(deadEvents, 'dead events', 'none')];
}
