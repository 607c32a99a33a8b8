import type { Tx, UseCaseContext } from '@eas/db';
import type { Attempt, Sending } from './send-claimed.ts';

/**
 * A kind of target whose destinations get their messages one at a time, whatever the number of processes. Columns have
 * the names of their fields in snake case; other texts are SQL. Both tables have `tenant_id`, and messages also have the
 * key of their destination.
 */
export type TargetKind<D extends object, M extends object, R> = Omit<
  Sending<Claimed<D, M>, R, Verdict<D, M>>,
  'settle'
> & {
  /** Log lines of an attempt. `lost`: another process has the claim. `broken`: it could not be settled. */
  log: Readonly<Record<'failed' | 'putOff' | 'lost' | 'broken', string>>;
  destinations: DestinationTable;
  messages: MessageTable;
  limits: SendingLimits;
  /**
   * Whether a message may be sent at `now`, by the clock of the database, and what that changes in its destination, or
   * when it may.
   */
  pace?(claimed: Pick<Claimed<D, M>, 'destination' | 'message'>, now: Date): { set: Partial<D> } | { notBefore: Date };
  /**
   * What else changes in the transaction that settles the message. It calls `settle` once: rows that are locked before
   * the destination elsewhere come before, what needs the settled message after. If the claim was lost, `settle` throws.
   */
  apply?(ctx: UseCaseContext, tx: Tx, sent: Sent<D, M, R>, settle: () => Promise<void>): Promise<void>;
};

export type DestinationTable = {
  table: string;
  /** The fields that identify it. Slots are also shared between values of the first. */
  key: readonly string[];
  /** Its other fields that sending needs, such as a URL. */
  own?: readonly string[];
  /** When something is to be sent next; null: nothing is. */
  dueAt: string;
  /** The number of claims, 0 at first: what is written under an older one is lost. */
  fence: string;
  /** Nothing is sent before, whatever is due. */
  restUntil: string;
  /** The end of a claim, if that has a column of its own. */
  claimedUntil?: string;
  /** The number of slow requests in a row. */
  slowCount?: string;
  /** Why nothing is sent there, whatever is due. */
  stoppedBy?: string;
  /** SQL for the columns of a missing destination that cannot be null and have no default. */
  initial?: Readonly<Record<string, string>>;
};

/** Its table has the columns `state`, `attempts` (0 at first), `last_error` and `created_at`. */
export type MessageTable = {
  table: string;
  key: readonly string[];
  own: readonly string[];
  /** The names of two states. The others are `failed` and `expired`. */
  states: { waiting: string; sent: string };
  dueAt: string;
  settledAt: string;
  /** Which of those that are due is sent first. */
  order: string;
  /** An attempt counts from its claim on, since one that was cut off may have had an effect. */
  countsClaims?: boolean;
};

export type SendingLimits = {
  /** Longer than a request takes (`egressDeadlineMs`): afterwards the process that claimed counts as dead. */
  claimMs: number;
  /** Requests of a process at a time, those that have left their slot not counted. */
  slots: number;
  ofTenant: number;
  /** Of destinations with the same first key. */
  ofGroup?: number;
  /** A slower request leaves its slot and continues. Undefined: each keeps it to the end. */
  slowMs?: number;
  /** Destinations whose last request was slow start only while fewer slots are taken. */
  slotsForSlow?: number;
};

/** A message that this process alone sends now. `attempts`: this one included. */
export type Claimed<D, M> = { fence: number; destination: D; message: M; attempts: number };

/** What a response means for the message and its destination. */
export type Verdict<D, M> = {
  /** Its name in metrics. */
  outcome: string;
  state: 'sent' | 'waiting' | 'failed';
  /** Why it is not sent. */
  error?: string;
  /** When a waiting message is due again. */
  afterMs?: number;
  /** The attempt does not count. */
  isUncounted?: boolean;
  /** Nothing is sent to the destination for that long, this message included. */
  pauseMs?: number;
  /** Other fields that change. */
  destination?: Partial<D>;
  message?: Partial<M>;
};

export type Sent<D, M, R> = Attempt<Claimed<D, M>, R, Verdict<D, M>>;

/** An attempt, for metrics. `outcome`: that of its verdict, `lease_lost`, or `error` if it could not be settled. */
type Attempted<M> = { message: M; outcome: string; state: Verdict<object, M>['state']; durationMs: number };

export type OnAttempt<M> = (attempted: Attempted<M>) => void;
