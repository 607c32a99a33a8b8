/** The first part of every query key: the kind of resource. */
export type Resource =
  | 'tasks'
  | 'projects'
  | 'profiles'
  | 'policies'
  | 'budgets'
  | 'inputs'
  | 'reviews'
  | 'agents'
  | 'names'
  | 'presence'
  | 'runs'
  | 'workflows'
  | 'webhooks'
  | 'deliveries'
  | 'integrations'
  | 'inbound'
  | 'analytics'
  | 'keys'
  | 'clients'
  | 'users'
  | 'audit'
  | 'views'
  | 'tenants'
  | 'system'
  | 'session';

const families: Readonly<Record<string, readonly Resource[]>> = {
  task: ['tasks', 'inputs', 'reviews', 'agents', 'runs', 'inbound'],
  pr: ['tasks', 'inbound'],
  agent: ['agents', 'presence', 'names'],
  workflow: ['runs', 'tasks'],
  webhook: ['webhooks'],
  budget: ['budgets'],
  tenant: ['tenants'],
};

/** Frequent events that invalidate only a part of their family. */
const single: Readonly<Record<string, readonly Resource[]>> = {
  'task.created': ['tasks', 'runs', 'inbound'],
  'task.assigned': ['tasks', 'agents'],
  'task.started': ['tasks', 'agents', 'runs'],
  'task.commented': ['tasks'],
};

/** A change of one resource invalidates others too. */
const also: Partial<Record<Resource, readonly Resource[]>> = { profiles: ['budgets'] };

/** What is stale after a person changed one of these. */
export const staleAfterChange = (resource: Resource): readonly Resource[] => [resource, ...(also[resource] ?? [])];

/** Every event may become a delivery. */
const always: readonly Resource[] = ['deliveries'];

/** Events that change analytics figures, which are stale some time later. */
export const changesFigures = (eventType: string): boolean => eventType.startsWith('task.');

/** What is stale after an event of this type: by its name, or by the word before the point. */
export const staleAfter = (eventType: string): readonly Resource[] => [
  ...always,
  ...(single[eventType] ?? families[eventType.split('.')[0] ?? ''] ?? []),
];
