import { rename, writeFile } from 'node:fs/promises';

/** Writes a JSON file for the runner's own user; readers see all of it or nothing, also after a kill. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.part`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.part`, file);
}
