/** The first part of every query key: what kind of thing was read. */
export type Resource =
  | 'tasks'
  | 'inputs'
  | 'agents'
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
  task: ['tasks', 'inputs', 'agents', 'runs', 'inbound'],
  pr: ['tasks', 'inbound'],
  agent: ['agents'],
  workflow: ['runs', 'tasks'],
  webhook: ['webhooks'],
};

/** Every event may become a delivery. */
const always: readonly Resource[] = ['deliveries'];

/** What is out of date after an event of this type: by the word before the point. */
export const staleAfter = (eventType: string): readonly Resource[] => [
  ...always,
  ...(families[eventType.split('.')[0] ?? ''] ?? []),
];
