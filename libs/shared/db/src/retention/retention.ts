/** How long history is kept, in days; 0 keeps it for ever. Deliveries are kept with their attempts. */
export type Retention = { readonly eventDays: number; readonly deliveryDays: number };

/** The same with the sessions of agents and their calls to models, which only the sweep uses. */
export type HistoryRetention = Retention & { readonly sessionDays: number; readonly modelCallDays: number };

export const defaultRetention: Retention = { eventDays: 90, deliveryDays: 30 };

export type RetainedTable = 'events' | 'deliveries' | 'attempts' | 'session_batches' | 'model_calls';

/** In the order of deletion of a month: no row is left without its parent. */
export const retainedTables: readonly RetainedTable[] = [
  'attempts',
  'deliveries',
  'events',
  'session_batches',
  'model_calls',
];

const settings = {
  events: 'eventDays',
  deliveries: 'deliveryDays',
  attempts: 'deliveryDays',
  session_batches: 'sessionDays',
  model_calls: 'modelCallDays',
} as const satisfies Record<RetainedTable, keyof HistoryRetention>;

export const daysOf = (retention: HistoryRetention, table: RetainedTable): number => retention[settings[table]];
