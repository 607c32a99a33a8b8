// What an SDK is made of: the served document alone.
import { join } from 'node:path';
import { defineConfig } from '@hey-api/openapi-ts';

const tmp = join(import.meta.dirname, '../../tmp');

export default defineConfig({
  input: join(tmp, 'openapi.json'),
  output: { path: join(tmp, 'sdk'), importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});
