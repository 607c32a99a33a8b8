/** Permissions of keys and tokens. A caller without the scope of a route gets 403 naming it. */
export const scopes = [
  'agents:read',
  'agents:write',
  'tasks:read',
  'tasks:write',
  'projects:write',
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

export const scopeMeanings: Record<Scope, string> = {
  'agents:read': 'Read agents and their statistics.',
  'agents:write': 'Create, change and delete agents.',
  'tasks:read': 'Read tasks, their history and their results, and projects.',
  'tasks:write': 'Create, change and cancel tasks.',
  'projects:write': 'Create and change projects, whose commands run on the machines of agents.',
  'workflows:read': 'Read workflows and their runs.',
  'workflows:run': 'Start and control runs of workflows.',
  'workflows:write': 'Create and change workflows.',
  'integrations:read': 'Read integrations and what they received.',
  'integrations:write': 'Create, change and delete integrations.',
  'analytics:read': 'Read performance metrics.',
  'webhooks:read': 'Read webhooks and their deliveries.',
  'webhooks:write': 'Create, change, test and delete webhooks.',
  'events:read': 'Read events.',
  'agent:self': 'Work as one agent: claim tasks and report on them.',
  admin: 'Manage API keys, OAuth clients and users, and act as any agent.',
};

/** What people are in a tenant. A role is a named set of scopes; a user can also have others. */
export const userRoles = ['admin', 'member', 'viewer'] as const;
export type UserRole = (typeof userRoles)[number];

export const roleScopes: Record<UserRole, readonly Scope[]> = {
  admin: scopes,
  member: scopes.filter((scope) => scope !== 'admin'),
  viewer: scopes.filter((scope) => scope.endsWith(':read')),
};

export const roleMeanings: Record<UserRole, string> = {
  admin: 'Do everything, and manage API keys, OAuth clients and users.',
  member: 'Read and change everything but API keys, OAuth clients and users.',
  viewer: 'Read everything but API keys, OAuth clients, users and the audit log. Change nothing.',
};

export const tiers = ['basic', 'standard', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** Who acts: an id with its kind's prefix (key_, usr_, agt_, int_), or "system" for the service itself. */
export type Actor = {
  id: string;
  /** The agent whose key it is. */
  agentId?: string;
  /** May act for any agent. */
  isAdmin?: boolean;
  /** The channel of the action, for the audit log; undefined when the service acts by itself. */
  via?: RequestSource;
};

export type RequestSource = { credentialId?: string; remoteAddress?: string; requestId?: string };

/** What the operator allows a tenant. */
export type TenantTerms = {
  /** Why it is suspended, and nothing is allowed; null: it is not. */
  suspendedReason: string | null;
  /** Requests a minute of all its callers; null: as the installation has it. */
  rateLimit: number | null;
  /** Row limits by name; those that are missing are as the installation has them. */
  limits: Readonly<Partial<Record<TenantLimit, number>>>;
};

/** Days that rows of a tenant are kept, by kind; those that are missing are as the installation has them. */
export type TenantRetention = Readonly<Partial<Record<'receiptDays' | 'auditDays', number>>>;

/** Row limits that a tenant may have of its own. */
export type TenantLimit =
  | 'agents'
  | 'keys'
  | 'endpoints'
  | 'integrations'
  | 'workflows'
  | 'projects'
  | 'profiles'
  | 'policies'
  | 'runners'
  | 'budgets';

export type Principal = {
  tenantId: string;
  /** What was presented: an API key, an OAuth access token, or the cookie of a person who signed in. */
  kind: 'key' | 'token' | 'session';
  /** Id of the key or session, or client and user of a token. Rate limits and idempotency count by it. */
  credentialId: string;
  actor: Actor;
  scopes: readonly Scope[];
  /** Requests a minute. */
  rateLimit: number;
  /** Of its tenant, where they differ from those of the installation. */
  tenant?: TenantTerms;
  /** Sessions only: the token that a changing request must send in addition to the cookie. */
  csrfToken?: string;
  /** Sessions only. */
  sessionId?: string;
};

/** The tenant that every installation has; the first migration creates it. */
export const defaultTenantId = 'tnt_00000000000000000000000000';
