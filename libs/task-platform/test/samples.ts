import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'samples');
const foreign = 'automationCallWebhook.json';

/** Raw body of a sample of the task platform. */
export function sampleBody(name: string): Buffer {
  return readFileSync(join(folder, `${name}.json`));
}

/** Names of all samples that are events; the one of another sender is left out. */
export const sampleNames = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && file !== foreign)
  .map((file) => file.slice(0, -'.json'.length));
