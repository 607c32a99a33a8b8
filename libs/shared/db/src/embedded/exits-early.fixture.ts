import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@eas/testing/eventually';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

// A process that exits as soon as its Postgres runs, before the start is over.
const [dataDir = ''] = process.argv.slice(2);
void startEmbeddedPostgres({ dataDir, log: () => {} });
await eventually(() => existsSync(join(dataDir, 'postgres/postmaster.pid')));
process.exit(0);
