import { resolve } from 'node:path';

/** Where Node keeps compiled sources; shared by all data folders of this repository. */
export const compileCacheFolder = resolve(import.meta.dirname, '../../../node_modules/.cache/compiled');
