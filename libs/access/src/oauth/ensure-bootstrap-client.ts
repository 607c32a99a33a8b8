import { scopes } from '@eas/contracts';
import { brokenConstraint, type UseCaseContext } from '@eas/db';
import { secretCell } from './client.ts';
import { findIdOrOrigin, insertClient, lockClientOrigin, replaceOriginClient } from './client.store.ts';
import { deleteRecordsOfClient } from './record.store.ts';

const origin = 'bootstrap';

/** A client as a setting describes it; the setting's type has checked the bounds. */
export type BootstrapClient = { id: string; secret: string; redirectUris: readonly string[] };

/**
 * Creates the first OAuth client of an installation, or updates it to the setting; with another id it loses its grants.
 * A deleted client stays deleted. Safe in several processes at once. Throws when people created a client with that id.
 */
export async function ensureBootstrapClient(ctx: UseCaseContext, client: BootstrapClient): Promise<void> {
  const { id, redirectUris } = client;
  const secret = ctx.secrets.seal(client.secret, secretCell(ctx.tenantId, id));
  try {
    await ctx.inTransaction(async (tx) => {
      await lockClientOrigin(tx, origin);
      const found = await findIdOrOrigin(tx, id, origin);
      if (found?.deletedAt) return;
      if (found && found.origin !== origin) throw taken();
      if (!found) {
        await insertClient(tx, { ...made, id, secret, redirectUris });
        return;
      }
      if (found.id !== id) await deleteRecordsOfClient(tx, found.id);
      await replaceOriginClient(tx, found.id, { id, secret, redirectUris, updatedAt: ctx.clock.now() });
      tx.notify('access', found.id);
    });
  } catch (error) {
    throw brokenConstraint(error) === 'oauth_clients_id_key' ? taken() : error;
  }
}

const taken = () => new Error('BOOTSTRAP_OAUTH_CLIENT must have a client_id that no other client has.');

const made = {
  name: 'Bootstrap client',
  scopes,
  tier: 'enterprise',
  rateLimit: null,
  origin,
  createdBy: 'system',
} as const;
