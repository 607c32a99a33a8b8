import { randomBytes } from 'node:crypto';
import { createApiKey } from '@eas/access';
import { scopes } from '@eas/contracts';
import { createSecretBox, newId } from '@eas/core';
import { createContext } from '@eas/db';
import { createLogger } from '@eas/runtime';
import type { Bench } from '../harness/bench.ts';

const logger = createLogger({ name: 'bench', level: 'error' });

/** A new tenant, with keys of every scope at the enterprise tier. */
export async function makeTenantKeys(
  { stores }: Bench,
  slug: string,
  keyCount = 8,
): Promise<{ tenantId: string; keys: string[] }> {
  const { database } = stores;
  const tenantId = newId('tenant');
  await database.db.query('INSERT INTO tenants (id, slug, name) VALUES ($1, $2, $2)', [tenantId, slug]);
  const secrets = createSecretBox([randomBytes(32).toString('base64')]);
  const ctx = createContext({ database, secrets, logger }, { tenantId, actor: { id: 'system' } });
  const keys = await Promise.all(
    Array.from({ length: keyCount }, (_, number) =>
      createApiKey(ctx, { name: `key ${number}`, scopes, tier: 'enterprise' }),
    ),
  );
  return { tenantId, keys: keys.map(({ key }) => key) };
}
