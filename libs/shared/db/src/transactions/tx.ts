import type { DbScope } from '../connection/db.ts';
import type { EventRow } from './event-row.ts';
import type { Channel } from '../connection/notify.ts';

/** One transaction. Only it may be used inside `inTransaction`. */
export type Tx = DbScope & {
  /** Events appended and not yet written; see `append`. */
  readonly pendingEvents: EventRow[];
  /** Sent statements that are not awaited yet; see `sendWrite`. */
  readonly pendingWrites: Promise<unknown>[];
  /** Wakes listeners of the channel after the commit; nothing is sent when the transaction fails. */
  notify(channel: Channel, key: string): void;
};

export type PlainValue = string | number | boolean | Date | null | readonly string[];

/**
 * Runs a statement without waiting for its result: later statements run after it, the commit waits for it, and its
 * error fails the transaction. The values must be plain, so that sending cannot fail and the commit never overtakes it.
 * `onRows` is called before the transaction ends.
 */
export function sendWrite<Row extends object>(
  tx: Tx,
  text: string,
  values: readonly PlainValue[],
  onRows: (rows: Row[]) => void = () => {},
): void {
  holdUntilCommit(tx, tx.db.query<Row>(text, values).then(onRows));
}

/** Makes the commit wait for what was sent. */
export function holdUntilCommit(tx: Tx, sent: Promise<unknown>): void {
  sent.catch(() => {});
  tx.pendingWrites.push(sent);
}

/** Waits for sent statements, in a savepoint for those after the first `sentBefore`; throws the first error. */
export async function awaitWrites(tx: Tx, sentBefore = 0): Promise<void> {
  await Promise.all(tx.pendingWrites.splice(sentBefore));
}

/** Returns `error`, or that of an earlier write: the first statement that fails makes later ones fail. */
export async function firstErrorOf(tx: Tx, error: unknown, sentBefore = 0): Promise<unknown> {
  return awaitWrites(tx, sentBefore).then(
    () => error,
    (cause: unknown) => cause,
  );
}
