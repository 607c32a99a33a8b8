import { type Scope, scopes as allScopes } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { findProtocolClient } from './protocol.read-model.ts';
import { isGranted } from './record.read-model.ts';

export type ConsentRequest = {
  clientId: string;
  /** What the client asked for, as it wrote it; undefined: all that it may have. */
  scope: string | undefined;
  own: readonly Scope[];
};

/** What a client would get of a person, and whether it need not be asked: the person has allowed that much before. */
export type Consent = {
  client: { id: string; name: string; hasRegisteredItself: boolean };
  scopes: Scope[];
  isGiven: boolean;
};

/**
 * What there is to consent to: what was asked for, as far as client and person have it. Undefined: the client is gone,
 * or of another tenant than the person. A public client is asked for each time: any program can pass for it.
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
