import type { DbScope } from '../connection/db.ts';
import type { EventRow } from './event-row.ts';
import type { Channel } from '../connection/notify.ts';

/** One transaction. Only it may be used inside `inTransaction`. */
export type Tx = DbScope & {
  /** Events appended and not yet written; see `append`. */
  readonly pendingEvents: EventRow[];
  /** Statements on their way that are not awaited yet; see `sendWrite`. */
  readonly pendingWrites: Promise<unknown>[];
  /** Wakes listeners of the channel after the commit; nothing is sent when the transaction fails. */
  notify(channel: Channel, key: string): void;
};

export type PlainValue = string | number | boolean | Date | null | readonly string[];

/**
 * Runs a statement without waiting for it, as its result is not needed: what is sent later runs after it, the commit
 * waits for it, and its error is the transaction's. The values are plain ones, so that nothing can go wrong on the way:
 * the commit is sent behind a statement that has certainly reached Postgres. `onRows` is called before the transaction
 * ends.
 */
export function sendWrite<Row extends object>(
  tx: Tx,
  text: string,
  values: readonly PlainValue[],
  onRows: (rows: Row[]) => void = () => {},
): void {
  holdUntilCommit(tx, tx.db.query<Row>(text, values).then(onRows));
}

/** Has the commit wait for what was sent. */
export function holdUntilCommit(tx: Tx, sent: Promise<unknown>): void {
  sent.catch(() => {});
  tx.pendingWrites.push(sent);
}

/** Waits for what was sent, since there were `sentBefore` in a savepoint; throws the error of the first that failed. */
export async function awaitWrites(tx: Tx, sentBefore = 0): Promise<void> {
  await Promise.all(tx.pendingWrites.splice(sentBefore));
}

/** `error`, or that of a write sent before: the first statement that fails spoils those behind it. */
export async function firstErrorOf(tx: Tx, error: unknown, sentBefore = 0): Promise<unknown> {
  return awaitWrites(tx, sentBefore).then(
    () => error,
    (cause: unknown) => cause,
  );
}
