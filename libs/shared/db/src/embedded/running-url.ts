import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Address of the database of a server that runs on the folder now; undefined when none does. */
export function runningEmbeddedUrl(dataDir: string): string | undefined {
  const folder = resolve(dataDir);
  const recorded = readOr(join(folder, 'postgres-folder'))?.trim();
  // Lines of the server's own lock file: process id, folder, start time, port, …
  const port = readOr(join(recorded ?? join(folder, 'postgres'), 'postmaster.pid'))?.split('\n')[3];
  const password = readOr(join(folder, 'postgres-password'))?.trim();
  return port && password ? `postgresql://eas:${password}@127.0.0.1:${port}/eas` : undefined;
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
