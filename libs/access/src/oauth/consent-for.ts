import { type Scope, scopes as allScopes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { findProtocolClient } from './protocol.read-model.ts';
import { isGranted } from './record.read-model.ts';

export type ConsentRequest = {
  clientId: string;
  /** The scopes that the client requested, unparsed; undefined: all that it may have. */
  scope: string | undefined;
  own: readonly Scope[];
};

/** The scopes that a client would get from a person, and whether the person has already allowed them. */
export type Consent = {
  client: { id: string; name: string; hasRegisteredItself: boolean };
  scopes: Scope[];
  isGiven: boolean;
};

/**
 * The scopes to consent to: the requested ones that both client and person have. Undefined: the client is gone, or
 * belongs to another tenant than the person. Consent to a public client is requested each time, since any program can
 * impersonate it.
 */
export async function consentFor(
  ctx: UseCaseContext,
  { clientId, scope, own }: ConsentRequest,
): Promise<Consent | undefined> {
  const client = await findProtocolClient(ctx.db, clientId);
  if (client?.tenantId !== ctx.tenantId) return undefined;
  const asked = scope?.split(' ').filter((word) => word !== '') ?? [];
  const scopes = allScopes.filter(
    (one) => client.scopes.includes(one) && own.includes(one) && (asked.length === 0 || asked.includes(one)),
  );
  const canProve = client.secret !== null;
  const asking = { clientId, userId: ctx.actor.id, scopes, at: ctx.clock.now() };
  const isGiven = canProve && scopes.length > 0 && (await isGranted(ctx, asking));
  const { id, name, hasRegisteredItself } = client;
  return { client: { id, name, hasRegisteredItself }, scopes, isGiven };
}
