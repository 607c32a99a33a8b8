/** Permissions of keys and tokens. A caller without the scope of a route gets 403 naming it. */
export const scopes = [
  'agents:read',
  'agents:write',
  'tasks:read',
  'tasks:write',
  'workflows:read',
  'workflows:run',
  'workflows:write',
  'integrations:read',
  'integrations:write',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'agent:self',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

export const tiers = ['basic', 'standard', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** Who acts: an id with its kind's prefix (key_, usr_, agt_, int_), or "system" for the service itself. */
export type Actor = {
  id: string;
  /** The agent whose key it is. */
  agentId?: string;
  /** May act for any agent. */
  isAdmin?: boolean;
};

/** An authenticated caller. */
export type Principal = {
  tenantId: string;
  /** What was presented: the id of the key or client. Rate limits and idempotency count by it. */
  credentialId: string;
  actor: Actor;
  scopes: readonly Scope[];
  /** Requests a minute. */
  rateLimit: number;
};

/** The tenant that every installation has; the first migration makes it. */
export const defaultTenantId = 'tnt_00000000000000000000000000';
