import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StartError } from '@eas/core';

const compress = promisify(gzip);

/** Row of a table, as JSON. */
export type ArchivedRow = { id: string; row: Readonly<Record<string, unknown>> };

export type ArchiveFile = {
  /** Returns when the rows are on the disk. Throws when they may not be. */
  add(rows: readonly ArchivedRow[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * A new file for old rows of a tenant, made with the first ones: `<folder>/<tenant>/<table>-<first id>-….ndjson.gz`. A line
 * is `{"table": …, "row": {…}}`, and each `add` one gzip member, so that a file that was cut off can be read up to there.
 */
export function archiveFile(folder: string, { tenantId, table }: { tenantId: string; table: string }): ArchiveFile {
  let file: FileHandle | undefined;
  return {
    async add(rows) {
      const name = `${table}-${rows[0]?.id}-${randomUUID().slice(0, 8)}.ndjson.gz`;
      file ??= await create(join(folder, tenantId), name);
      const lines = rows.map(({ row }) => `${JSON.stringify({ table, row })}\n`);
      await file.writeFile(await compress(lines.join('')));
      await file.sync();
    },
    close: async () => file?.close(),
  };
}

async function create(folder: string, name: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, name), 'wx', 0o600);
  // Otherwise a power failure leaves a file without a name.
  const parent = await open(folder);
  await parent.sync();
  await parent.close();
  return file;
}

/** Throws a StartError unless files can be written to the folder of this setting. */
export async function requireWritable(folder: string, setting: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new StartError(`${setting}: files cannot be written to ${folder}.`, error);
  });
}
