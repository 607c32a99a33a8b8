/**
 * The sections of the dashboard, in the order of the navigation. The build writes their paths for the gateway,
 * router.tsx needs a page for each, and `g` followed by `key` opens one.
 */
export const sections = [
  { path: 'overview', label: 'Overview', key: 'o', scope: 'tasks:read' },
  { path: 'inbox', label: 'Inbox', key: 'i', scope: 'tasks:read' },
  { path: 'tasks', label: 'Tasks', key: 't', scope: 'tasks:read' },
  { path: 'agents', label: 'Agents', key: 'a', scope: 'agents:read' },
  { path: 'projects', label: 'Projects', key: 'p', scope: 'tasks:read' },
  { path: 'profiles', label: 'Profiles', key: 'e', scope: 'tasks:read' },
  { path: 'policies', label: 'Permissions', key: 'm', scope: 'tasks:read' },
  { path: 'budgets', label: 'Budgets', key: 'b', scope: 'analytics:read' },
  { path: 'runs', label: 'Runs', key: 'r', scope: 'workflows:read' },
  { path: 'workflows', label: 'Workflows', key: 'f', scope: 'workflows:read' },
  { path: 'webhooks', label: 'Webhooks', key: 'w', scope: 'webhooks:read' },
  { path: 'integrations', label: 'Integrations', key: 'n', scope: 'integrations:read' },
  { path: 'inbound', label: 'Inbound', key: 'd', scope: 'integrations:read' },
  { path: 'analytics', label: 'Analytics', key: 'y', scope: 'analytics:read' },
  { path: 'tenants', label: 'Tenants', key: 'z', scope: 'admin', isForOperator: true },
  { path: 'system', label: 'System', key: 's', scope: 'admin', isForOperator: true },
  { path: 'usage', label: 'Usage', key: 'x', scope: 'admin', isForOperator: true },
] as const;

type Person = { is_operator: boolean; user: { scopes: readonly string[] } };

/** Whether a person may open a section. Only operators may open those that all tenants share. */
export const mayOpen =
  (person: Person | undefined) =>
  ({ scope, isForOperator = false }: { scope: string; isForOperator?: boolean }): boolean =>
    person !== undefined && person.user.scopes.includes(scope) && (person.is_operator || !isForOperator);

/** Separate pages about what all tenants share, for operators who have one of the scopes. */
export const operatorPages = [{ path: 'queues', label: 'Queues', scopes: ['admin', 'events:read'] }] as const;

/** Who may manage access sees them, under a heading of their own. */
export const accessSections = [
  { path: 'keys', label: 'API keys', key: 'k', scope: 'admin' },
  { path: 'clients', label: 'OAuth clients', key: 'c', scope: 'admin' },
  { path: 'users', label: 'Users', key: 'u', scope: 'admin' },
  { path: 'audit', label: 'Audit log', key: 'l', scope: 'admin' },
] as const;

export const allSections = [...sections, ...accessSections] as const;
