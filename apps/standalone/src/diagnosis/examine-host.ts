import { readFileSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '@eas/runtime';
import type { Config } from '../config.ts';
import { checkSettings } from '../preparation/check-settings.ts';
import { fail, type Finding, gigabytes, ok, unless, warn } from './finding.ts';

const neededNodeMajor = 24;
const lowDiskBytes = 2e9;
const fullDiskBytes = 3e8;

/** This machine: versions, settings of every app, the disk and files of DATA_DIR. */
export async function examineHost(config: Config): Promise<Finding[]> {
  return [examineVersion(config), await examineSettings(config), ...examineDisk(config), ...examineKeyFile(config)];
}

function examineVersion({ root }: Config): Finding {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { node } = process.versions;
  const message = `version ${version} on Node ${node}`;
  const isOld = Number(node.split('.')[0]) < neededNodeMajor;
  return unless(isOld && fail('version', message, `Run it with Node ${neededNodeMajor}.`), 'version', message);
}

async function examineSettings(config: Config): Promise<Finding> {
  try {
    if (config.databaseUrl && !config.encryptionKeys)
      return fail('settings', 'ENCRYPTION_KEY is not set', 'Set the key that the data was encrypted with.');
    await checkSettings(config);
    return ok('settings', 'the settings of all apps are valid');
  } catch (error) {
    if (error instanceof SettingsError) return wrongSettings(error);
    throw error;
  }
}

export const wrongSettings = (error: SettingsError): Finding =>
  fail('settings', error.message.replace(/\.$/, ''), 'See docs/settings.md.');

/** With a database of one's own nothing has to be kept in DATA_DIR, and in a container it is not there. */
function examineDisk({ dataDir, databaseUrl }: Config): Finding[] {
  if (databaseUrl) return [];
  return [examineFree(freeBytes(dataDir), dataDir)];
}

/** `free`: bytes, undefined when the folder cannot be read. */
export function examineFree(free: number | undefined, dataDir: string): Finding {
  if (free === undefined)
    return warn('disk', `${dataDir} cannot be read`, 'Run the command as the user of the system.');
  const message = `${gigabytes(free)} free for the database and logs in ${dataDir}`;
  const advice = 'Make room, or move DATA_DIR to a larger disk.';
  if (free < fullDiskBytes) return fail('disk', message, advice);
  return free < lowDiskBytes ? warn('disk', message, advice) : ok('disk', message);
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function examineKeyFile({ dataDir, databaseUrl, encryptionKeys }: Config): Finding[] {
  if (databaseUrl || encryptionKeys) return [];
  const file = join(dataDir, 'encryption-key');
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & 0o077) === 0) return [];
  return [fail('key file', `${file} can be read by other users`, `Run chmod 600 ${file}.`)];
}
