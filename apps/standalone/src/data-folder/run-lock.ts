import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@eas/core';
import { writeToFolder } from './prepare-folder.ts';

const fileName = 'standalone.pid';

/** Locks the data folder for this process; returns its release function. Throws a StartError when it is locked. */
export function takeRunLock(dataDir: string): () => void {
  const file = join(dataDir, fileName);
  const holder = lockHolder(dataDir);
  if (holder !== undefined) {
    throw new StartError(
      `The system is already running (process ${holder}) on ${dataDir}. Stop it first, or set another DATA_DIR and PORT.`,
    );
  }
  rmSync(file, { force: true });
  try {
    writeToFolder(dataDir, fileName, `${process.pid}\n`, { isNew: true });
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`Another start is in progress on ${dataDir}. Wait for it to finish.`);
  }
  return () => rmSync(file, { force: true });
}

/** Id of the living process that holds the folder. */
export function lockHolder(dataDir: string): number | undefined {
  let pid: number;
  try {
    pid = Number(readFileSync(join(dataDir, fileName), 'utf8'));
  } catch {
    return undefined;
  }
  // The process id may belong to another program by now.
  return Number.isInteger(pid) && pid !== process.pid && commandOf(pid).includes('standalone') ? pid : undefined;
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)]).stdout?.toString() ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
