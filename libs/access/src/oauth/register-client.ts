import { scopes } from '@eas/contracts';
import { AppError, newId } from '@eas/core';
import type { Db, UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { insertClient, lockRegistered } from './client.store.ts';
import { insertRegistration, type Registration, takeRegistration } from './registration.store.ts';

/** The maximum scopes of a self-registered program, limited to those of the person who allows it. */
const mostScopes = scopes.filter((scope) => scope !== 'admin');
/** Maximum number per tenant. Programs without a grant for a day are deleted. */
const maxRegistered = 1_000;

/**
 * Stores a program that registers itself for a day, until a person signs in for it. Throws conflict when too many wait.
 */
export async function registerClient(db: Db, client: Omit<Registration, 'id'>): Promise<Registration> {
  const registration = { id: newId('oauthClient'), ...client };
  if (await insertRegistration(db, registration)) return registration;
  const message = 'Too many applications have registered and were not used. Try again tomorrow.';
  throw new AppError('conflict', { field: '', constraint: 'limit', message });
}

/**
 * Assigns a self-registered program to the tenant of the person who is about to allow it: other tenants cannot use it
 * from then on. Does nothing if it is already assigned or gone.
 */
export async function adoptRegistration(ctx: UseCaseContext, id: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const registration = await takeRegistration(tx.db, id);
    if (!registration) return;
    if ((await lockRegistered(tx)) >= maxRegistered) {
      const message = `A tenant can have at most ${maxRegistered} applications that registered themselves. Remove unused ones first.`;
      throw new AppError('conflict', { field: '', constraint: 'limit', message });
    }
    const { name, redirectUris } = registration;
    const given = { scopes: mostScopes, tier: 'basic', rateLimit: null, secret: null } as const;
    const own = { origin: null, createdBy: ctx.actor.id, registeredAt: ctx.clock.now() };
    await insertClient(tx, { id, name, redirectUris, ...given, ...own });
    const data = { name, scopes: mostScopes, redirect_uris: redirectUris, has_registered_itself: true };
    await recordAudit(tx, ctx.actor, { action: 'oauth_client.created', target: id, data });
  });
}
