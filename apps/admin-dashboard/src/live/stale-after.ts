/** The first part of every query key: what kind of thing was read. */
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
  | 'system'
  | 'session';

const families: Readonly<Record<string, readonly Resource[]>> = {
  task: ['tasks', 'inputs', 'reviews', 'agents', 'runs', 'inbound'],
  pr: ['tasks', 'inbound'],
  agent: ['agents', 'presence', 'names'],
  workflow: ['runs', 'tasks'],
  webhook: ['webhooks'],
  budget: ['budgets'],
};

/** Frequent events that leave most of their family as it is. */
const single: Readonly<Record<string, readonly Resource[]>> = {
  'task.created': ['tasks', 'runs', 'inbound'],
  'task.assigned': ['tasks', 'agents'],
  'task.started': ['tasks', 'agents', 'runs'],
  'task.commented': ['tasks'],
};

/** What people change with one kind of thing belongs to others too. */
const also: Partial<Record<Resource, readonly Resource[]>> = { profiles: ['budgets'] };

/** What is out of date after a change of one of these. */
export const staleAfterChange = (resource: Resource): readonly Resource[] => [resource, ...(also[resource] ?? [])];

/** Every event may become a delivery. */
const always: readonly Resource[] = ['deliveries'];

/** Events that figures are made of: which, some time later, are out of date. */
export const changesFigures = (eventType: string): boolean => eventType.startsWith('task.');

/** What is out of date after an event of this type: by its name, or by the word before the point. */
export const staleAfter = (eventType: string): readonly Resource[] => [
  ...always,
  ...(single[eventType] ?? families[eventType.split('.')[0] ?? ''] ?? []),
];
