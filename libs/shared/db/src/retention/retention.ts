/** How long history is kept, in days; 0 keeps it for ever. Deliveries are kept with their attempts. */
export type Retention = { readonly eventDays: number; readonly deliveryDays: number };

/** The same with the sessions of agents, which only the sweep asks for. */
export type HistoryRetention = Retention & { readonly sessionDays: number };

export const defaultRetention: Retention = { eventDays: 90, deliveryDays: 30 };

export type RetainedTable = 'events' | 'deliveries' | 'attempts' | 'session_batches';

/** In the order in which a month goes: none is left without what it belongs to. */
export const retainedTables: readonly RetainedTable[] = ['attempts', 'deliveries', 'events', 'session_batches'];

const settings = {
  events: 'eventDays',
  deliveries: 'deliveryDays',
  attempts: 'deliveryDays',
  session_batches: 'sessionDays',
} as const satisfies Record<RetainedTable, keyof HistoryRetention>;

export const daysOf = (retention: HistoryRetention, table: RetainedTable): number => retention[settings[table]];
