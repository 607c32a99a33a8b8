import type { DbScope } from './db.ts';
import type { EventRow } from './event-row.ts';
import type { Channel } from './notify.ts';

/** One transaction. Only it may be used inside `inTransaction`. */
export type Tx = DbScope & {
  /** Events appended and not yet written; see `append`. */
  readonly pendingEvents: EventRow[];
  /** Wakes listeners of the channel after the commit; nothing is sent when the transaction fails. */
  notify(channel: Channel, key: string): void;
};
