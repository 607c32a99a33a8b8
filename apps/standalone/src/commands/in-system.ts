import type { UseCaseContext } from '@eas/db';
import type { Config } from '../config.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { type ContextOf, withContext } from '../preparation/seed.ts';
import { createTerminalLogger } from '../terminal.ts';
import { tenantContext } from './tenant-context.ts';
import { withDatabase } from './with-database.ts';

/** Use cases on the system's database, in any tenant. */
export function inSystem<T>(config: Config, work: (contextOf: ContextOf) => Promise<T>): Promise<T> {
  const { retention } = config;
  const parts = { encryptionKey: encryptionKeyOf(config), logger: createTerminalLogger(() => false), retention };
  return withDatabase(config, (databaseUrl, setting) => withContext({ ...parts, databaseUrl, setting }, work));
}

/** Use cases in the tenant with that slug. Throws a StartError when there is none. */
export const inTenant = <T>(config: Config, slug: string, work: (ctx: UseCaseContext) => Promise<T>): Promise<T> =>
  inSystem(config, async (contextOf) => work(await tenantContext(contextOf, slug)));
