import type { Scope, Tier } from '@eas/contracts';
import { type DbScope, lockName, lockRow } from '@eas/db';
import type { OauthClient } from './client.ts';
import { clientFields, clientOf, findClient } from './client.read-model.ts';

export type NewClient = {
  id: string;
  name: string;
  /** Sealed; null: a public client. */
  secret: string | null;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  tier: Tier;
  rateLimit: number | null;
  origin: string | null;
  createdBy: string;
  /** It registered itself, and was then added to the tenant. */
  registeredAt?: Date;
};

/** Adds a client. Breaks oauth_clients_id_key when another tenant has or had one of that id. */
export async function insertClient({ db, tenantId }: DbScope, client: NewClient): Promise<OauthClient> {
  const data = { ...client, tenantId, redirectUris: [...client.redirectUris], scopes: [...client.scopes] };
  return clientOf(await db.prisma.oauthClient.create({ data, select: clientFields }));
}

/** How many registered themselves and were not removed. Other registrations wait until the transaction ends. */
export async function lockRegistered(scope: DbScope): Promise<number> {
  await lockName(scope, 'oauth clients that registered themselves');
  const { db, tenantId } = scope;
  return db.prisma.oauthClient.count({ where: { tenantId, registeredAt: { not: null }, deletedAt: null } });
}

/** Locks one client until the transaction ends. */
export async function lockClient(scope: DbScope, id: string): Promise<OauthClient | undefined> {
  await lockRow(scope, 'oauth_clients', id);
  return findClient(scope, id);
}

/** Writes a locked client back. */
export async function updateClient({ db, tenantId }: DbScope, client: OauthClient): Promise<OauthClient> {
  const { id, name, redirectUris, scopes, tier, rateLimit, updatedAt } = client;
  const data = { name, redirectUris, scopes, tier, rateLimit, updatedAt, version: { increment: 1 } };
  const where = { tenantId_id: { tenantId, id } };
  return clientOf(await db.prisma.oauthClient.update({ where, data, select: clientFields }));
}

/** Sets a new sealed secret of a locked client. */
export async function replaceSecret(
  { db, tenantId }: DbScope,
  id: string,
  { secret, at }: { secret: string; at: Date },
): Promise<OauthClient> {
  const data = { secret, updatedAt: at, version: { increment: 1 } };
  const where = { tenantId_id: { tenantId, id } };
  return clientOf(await db.prisma.oauthClient.update({ where, data, select: clientFields }));
}

/** Keeps a locked client as a deleted row without its secret. */
export async function markDeleted({ db, tenantId }: DbScope, id: string, at: Date): Promise<void> {
  const data = { deletedAt: at, updatedAt: at, version: { increment: 1 }, secret: null };
  await db.prisma.oauthClient.updateMany({ where: { tenantId, id }, data });
}

/**
 * Locks the creation of the client from that setting until the transaction ends, since several processes boot at once.
 */
export const lockClientOrigin = (scope: DbScope, origin: string): Promise<void> =>
  lockName(scope, `oauth_client ${origin}`);

export type OriginClient = { id: string; origin: string | null; deletedAt: Date | null };

/** The client of that id, deleted or not; else the live one that the setting made. */
export async function findIdOrOrigin(
  { db, tenantId }: DbScope,
  id: string,
  origin: string,
): Promise<OriginClient | undefined> {
  const where = { tenantId, OR: [{ id }, { origin, deletedAt: null }] };
  const found = await db.prisma.oauthClient.findMany({ where, select: { id: true, origin: true, deletedAt: true } });
  return found.find((client) => client.id === id) ?? found[0];
}

/** Updates a client from a setting to its current values. Breaks oauth_clients_id_key when the id is taken. */
export async function replaceOriginClient(
  { db, tenantId }: DbScope,
  id: string,
  client: Pick<NewClient, 'id' | 'secret' | 'redirectUris'> & { updatedAt: Date },
): Promise<void> {
  const data = { ...client, redirectUris: [...client.redirectUris], version: { increment: 1 } };
  const where = { tenantId, id, origin: { not: null }, deletedAt: null };
  await db.prisma.oauthClient.updateMany({ where, data });
}
