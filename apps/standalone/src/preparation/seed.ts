import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ensureBootstrapKey,
  ensureFirstAdmin,
  ensureFolderKey,
  type FirstKeyChange,
  generateApiKey,
  linkPath,
  makeFirstAdminLink,
} from '@eas/access';
import { createProjectBody, defaultTenantId } from '@eas/contracts';
import { type Logger, newId, StartError } from '@eas/core';
import {
  contextInTransaction,
  createContext,
  lockName,
  openDatabase,
  openSecretBox,
  type Retention,
  type UseCaseContext,
} from '@eas/db';
import { createProject } from '@eas/tasks';
import { ensureShippedWorkflows, readShippedWorkflows, type ShippedDefinition } from '@eas/workflows';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { hasSecret, keepSecret } from '../data-folder/kept-secret.ts';
import { prepareFolder } from '../data-folder/prepare-folder.ts';

const agentsSchema = z.array(
  z.strictObject({ name: z.string().min(1), role: z.string().min(1), capabilities: z.array(z.string()) }),
);

/** `setting`: that the address came from. */
export type SeedOptions = {
  config: Config;
  databaseUrl: string;
  setting: string;
  encryptionKey: string;
  logger: Logger;
};

export type ContextOptions = Omit<SeedOptions, 'config'> & { retention?: Retention };

export type ContextOf = (tenantId?: string) => UseCaseContext;

export async function withContext<T>(
  { databaseUrl, setting, encryptionKey, logger, retention }: ContextOptions,
  work: (contextOf: ContextOf) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({
    url: databaseUrl,
    setting,
    poolSize: 2,
    applicationName: 'standalone',
    logger,
  });
  try {
    const encryptionKeys = encryptionKey.split(',').map((key) => key.trim());
    const secrets = await openSecretBox({ database, encryptionKeys, logger });
    const parts = { database, secrets, logger, ...(retention && { retention }) };
    return await work((tenantId = defaultTenantId) => createContext(parts, { tenantId, actor: { id: 'system' } }));
  } finally {
    await database.close();
  }
}

/** What was made and is readable this once. */
export type Seeded = {
  newKey: string | undefined;
  /** Path of the one-time link that makes the first admin. */
  adminPath: string | undefined;
  /** What happened to keys that people may use. */
  notices: string[];
};

/** Agents and projects of a tenant that never had any, every tenant's workflows, the first key, and the first admin or a link for one. */
export function seed(options: SeedOptions): Promise<Seeded> {
  return withContext(options, async (contextOf) => {
    const ctx = contextOf();
    await seedAgents(ctx, options.config.root);
    await seedProjects(ctx, options.config.root);
    const shipped = shippedWorkflows(options.config);
    const tenants = await ctx.db.prisma.tenant.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
    for (const { id } of tenants) await ensureShippedWorkflows(contextOf(id), shipped);
    const { newKey, change } = await seedKey(ctx, options.config);
    return { newKey, adminPath: await seedAdmin(ctx, options.config), notices: noticesOf(change) };
  });
}

type SeededKey = { newKey: string | undefined; change: FirstKeyChange };

async function seedKey(ctx: UseCaseContext, config: Config): Promise<SeededKey> {
  const rateLimit = config.bootstrapRateLimit;
  if (config.bootstrapApiKey) {
    return { newKey: undefined, change: await ensureBootstrapKey(ctx, { key: config.bootstrapApiKey, rateLimit }) };
  }
  // Written first: a crash between the two must not lose a key that cannot be read again.
  requireFolder(config.dataDir, 'BOOTSTRAP_API_KEY');
  const kept = keepSecret(config.dataDir, 'first-api-key', () => generateApiKey());
  const change = await ensureFolderKey(ctx, { key: kept.value, rateLimit });
  return { newKey: kept.isNew ? kept.value : undefined, change };
}

/** What is generated must be kept; a read-only system gets it by settings. */
function requireFolder(dataDir: string, settings: string): void {
  try {
    prepareFolder(dataDir);
  } catch (error) {
    throw new StartError(`Set ${settings}: what is generated without them cannot be kept. ${(error as Error).message}`);
  }
}

function noticesOf(change: FirstKeyChange): string[] {
  switch (change.kind) {
    case 'replaced':
      return [`BOOTSTRAP_API_KEY has changed: the previous key, which ends in ${change.lastFour}, is no longer valid`];
    case 'revoked':
      return ['the first API key has been revoked; create another one with npm run cmd -- key:create'];
    case 'made':
      return change.others.map(
        ({ prefix, lastFour, createdAt }) =>
          `the first API key ${prefix}…${lastFour} of ${createdAt.toISOString().slice(0, 10)}, from another DATA_DIR or setting, is still valid; revoke it at /admin/keys if it is no longer used`,
      );
    default:
      return [];
  }
}

/** The file under DATA_DIR with the path of the link that was made for the first admin. */
export const firstAdminLink = 'first-admin-link';

/** A link is made once for a data folder; a later one is asked for by command. */
async function seedAdmin(ctx: UseCaseContext, { dataDir, firstAdmin }: Config): Promise<string | undefined> {
  const { email, password } = firstAdmin;
  if (email !== undefined && password !== undefined) {
    await ensureFirstAdmin(ctx, { email, password });
    return undefined;
  }
  if (hasSecret(dataDir, firstAdminLink)) return undefined;
  requireFolder(dataDir, 'ADMIN_EMAIL and ADMIN_PASSWORD');
  const token = await makeFirstAdminLink(ctx);
  return token && keepSecret(dataDir, firstAdminLink, () => linkPath(token)).value;
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

/** Projects stay as rows when they are archived: only a tenant without any row gets them. */
async function seedProjects(ctx: UseCaseContext, root: string): Promise<void> {
  const file = readFileSync(join(root, 'prisma/seed/projects.json'), 'utf8');
  const projects = z.array(createProjectBody).parse(JSON.parse(file));
  await ctx.inTransaction(async (tx) => {
    await lockName(tx, 'seed of projects');
    if ((await tx.db.prisma.project.count({ where: { tenantId: tx.tenantId } })) > 0) return;
    for (const project of projects)
      await createProject(contextInTransaction(ctx, tx), project, { vetUrl: () => ({ isAllowed: true }) });
  });
}

export function shippedWorkflows({ root }: Pick<Config, 'root'>): ShippedDefinition[] {
  return readShippedWorkflows(join(root, 'prisma/seed/workflows'));
}
