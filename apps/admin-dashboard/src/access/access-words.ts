import type { Schemas } from '../api/client.ts';
import type { Scope } from '../api/session.ts';
import { enumWords } from '../generated/words.ts';

export type Key = Schemas['ApiKey'];
export type Client = Schemas['OauthClient'];
export type User = Schemas['User'];
export type Entry = Schemas['AuditEntry'];
export type Role = Schemas['UserRole'];
export type Tier = Schemas['Tier'];

/** In the order of the contract. */
export const allScopes = Object.keys(enumWords.Scope) as Scope[];
export const tiers: readonly Tier[] = ['basic', 'standard', 'enterprise'];

export const scopesText = (given: readonly Scope[]): string =>
  given.length === allScopes.length ? 'every scope' : given.join(', ');

/** As fields hold a set of scopes: in one order, so that two sets can be compared. */
export const scopeValues = (given: readonly Scope[]): string =>
  allScopes.filter((scope) => given.includes(scope)).join(', ');

export const limitText = ({ tier, rate_limit: limit }: { tier: Tier; rate_limit: number | null }): string =>
  limit === null ? tier : `${tier}, ${limit} requests a minute`;

export const toneOf = (status: string) => (status === 'active' ? 'good' : status === 'revoked' ? 'none' : 'warn');
