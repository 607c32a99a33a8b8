import { type Scope } from '../principal.ts';
import { subscribableEventTypes } from './catalogue.ts';

/** Subscriptions that match a type: its name, `prefix.*` for each of its prefixes, and `*`. */
export function subscriptionsOf(eventType: string): string[] {
  const words = eventType.split('.');
  const prefixes = words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`);
  return [eventType, ...prefixes, '*'];
}

/** Known event types that a subscription matches; none for an unknown one. */
export function typesOf(subscription: string): string[] {
  return subscribableEventTypes.filter((type) => subscriptionsOf(type).includes(subscription));
}

/** Reading a family of events requires its read scope. */
const readScopes: Record<string, Scope> = {
  task: 'tasks:read',
  workflow: 'workflows:read',
  pr: 'integrations:read',
  agent: 'agents:read',
  budget: 'tasks:read',
  webhook: 'webhooks:read',
  tenant: 'webhooks:read',
  ping: 'webhooks:read',
};

const scopeToRead = (eventType: string): Scope | undefined => readScopes[eventType.split('.')[0] ?? eventType];

export function typesToRead(scopes: readonly Scope[]): string[] {
  return subscribableEventTypes.filter((type) => {
    const scope = scopeToRead(type);
    return scope === undefined || scopes.includes(scope);
  });
}

export const scopesToRead = (subscriptions: readonly string[]): Scope[] => scopesToReadMore([], subscriptions);

/** The scopes for reading the types that are in `after` but not in `before`. */
export function scopesToReadMore(before: readonly string[], after: readonly string[]): Scope[] {
  const old = new Set(before.flatMap(typesOf));
  const scopes = after
    .flatMap(typesOf)
    .filter((type) => !old.has(type))
    .map(scopeToRead)
    .filter((scope) => scope !== undefined);
  return [...new Set(scopes)];
}
