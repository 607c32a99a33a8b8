/** How long history is kept, in days; 0 keeps it for ever. Deliveries are kept with their attempts. */
export type Retention = { readonly eventDays: number; readonly deliveryDays: number };

export const defaultRetention: Retention = { eventDays: 90, deliveryDays: 30 };

export type RetainedTable = 'events' | 'deliveries' | 'attempts';

/** In the order in which a month goes: none is left without what it belongs to. */
export const retainedTables: readonly RetainedTable[] = ['attempts', 'deliveries', 'events'];

export const daysOf = ({ eventDays, deliveryDays }: Retention, table: RetainedTable): number =>
  table === 'events' ? eventDays : deliveryDays;
