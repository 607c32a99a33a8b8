import { once } from 'node:events';
import { migrate } from '@eas/db/migrate';
import { loadConfig } from '../config.ts';
import type { PrepareOrder, PrepareReport } from './prepare-database.ts';
import { seed } from './seed.ts';
import { createTerminalLogger } from '../terminal.ts';

process.once('disconnect', () => process.exit(1));
const [order] = (await once(process, 'message')) as [PrepareOrder];
process.send?.(await prepare(order), () => process.exit(0));

async function prepare({ databaseUrl, encryptionKey }: PrepareOrder): Promise<PrepareReport> {
  const logger = createTerminalLogger(() => false);
  try {
    const applied = await migrate(databaseUrl);
    const seeded = await seed({ config: loadConfig(), databaseUrl, encryptionKey, logger });
    return { applied: applied.length, ...seeded };
  } catch (error) {
    return { sentence: explain(error) };
  }
}

function explain(error: unknown): string {
  const { code, message, errors } = error as Error & { code?: string; errors?: Error[] };
  const reason = message || errors?.[0]?.message || code || String(error);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `The database does not answer: ${reason}.`;
  return `The database cannot be prepared: ${reason}`;
}
