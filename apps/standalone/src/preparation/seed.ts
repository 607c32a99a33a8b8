import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBootstrapKey, generateApiKey } from '@eas/access';
import { defaultTenantId } from '@eas/contracts';
import { createSecretBox, type Logger, newId } from '@eas/core';
import { createContext, openDatabase, type UseCaseContext } from '@eas/db';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { keepSecret } from '../data-folder/kept-secret.ts';

const agentsSchema = z.array(
  z.strictObject({ name: z.string().min(1), role: z.string().min(1), capabilities: z.array(z.string()) }),
);

export type SeedOptions = { config: Config; databaseUrl: string; encryptionKey: string; logger: Logger };

export type ContextOptions = Omit<SeedOptions, 'config'>;

/** Gives `work` contexts on the database, of the default tenant or another, for as long as it takes. */
export async function withContext<T>(
  { databaseUrl, encryptionKey, logger }: ContextOptions,
  work: (contextOf: (tenantId?: string) => UseCaseContext) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'standalone', logger });
  const secrets = createSecretBox(encryptionKey.split(',').map((key) => key.trim()));
  const parts = { database, secrets, logger };
  try {
    return await work((tenantId = defaultTenantId) => createContext(parts, { tenantId, actor: { id: 'system' } }));
  } finally {
    await database.close();
  }
}

/** Agents of a tenant that never had any, and the first key. Gives the key when this run has made it. */
export function seed(options: SeedOptions): Promise<{ newKey: string | undefined }> {
  const { config } = options;
  return withContext(options, async (contextOf) => {
    const ctx = contextOf();
    await seedAgents(ctx, config.root);
    const rateLimit = config.bootstrapRateLimit;
    if (config.bootstrapApiKey) {
      await ensureBootstrapKey(ctx, { key: config.bootstrapApiKey, rateLimit });
      return { newKey: undefined };
    }
    // Written first: a crash between the two must not lose a key that nobody can read any more.
    const kept = keepSecret(config.dataDir, 'first-api-key', () => generateApiKey());
    await ensureBootstrapKey(ctx, { key: kept.value, rateLimit });
    return { newKey: kept.isNew ? kept.value : undefined };
  });
}

/** Agents that were deleted stay deleted: only a tenant without any row gets them. */
async function seedAgents(ctx: UseCaseContext, root: string): Promise<void> {
  const agents = agentsSchema.parse(JSON.parse(readFileSync(join(root, 'prisma/seed/agents.json'), 'utf8')));
  const rows = agents.map((agent) => ({ ...agent, id: newId('agent') }));
  await ctx.db.query(
    `INSERT INTO agents (tenant_id, id, name, role, capabilities, created_at, updated_at)
     SELECT $1, a.id, a.name, a.role, a.capabilities, app_now(), app_now()
     FROM json_to_recordset($2::json) AS a (id text, name text, role text, capabilities text[])
     WHERE NOT EXISTS (SELECT FROM agents WHERE tenant_id = $1)`,
    [ctx.tenantId, JSON.stringify(rows)],
  );
}
