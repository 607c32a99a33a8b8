import { readFile } from 'node:fs/promises';

/** The content of a JSON file; undefined where there is none, or none that can be read. */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
