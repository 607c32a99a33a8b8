import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const file = resolve(import.meta.dirname, '../../../../../package.json');

/** Version of the release that runs. */
export const serviceVersion = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
