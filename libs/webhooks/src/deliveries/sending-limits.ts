import { maxDeliveriesPerJob } from '@eas/contracts';

/** POSTs at a time of one job. */
export const maxConcurrentPosts = 10;
/** Payloads that a job reads at a time, in bytes; a single larger one is read alone. */
export const maxPayloadBytes = 1_048_576;
/** A job starts no further POST after this many ms; what is left goes back to its rows. */
export const startingMs = 8_000;
/** From the claim: starting, 15 s of the POST, and time to record it. Afterwards the worker counts as dead. */
export const sendingMs = 30_000;
/** A delivery counts as queued that long; afterwards its job counts as lost. */
export const queuedMs = 15_000;
/** At most this many jobs of an endpoint are made at a time, by one fan-out or one sweep. */
export const maxJobsAtOnce = 4;
export const maxQueuedAtOnce = maxJobsAtOnce * maxDeliveriesPerJob;
/** With this many due deliveries in the queue or being sent an endpoint gets no more jobs: the rest waits as rows. */
export const maxInHand = 16;
/** What waits for an earlier event of its task follows when that has ended; should that be lost, after that long. */
export const orderedWaitMs = 30_000;
/** Held deliveries of an endpoint that one sweep makes due. */
export const drainedAtOnce = 25;
/** Held deliveries of an endpoint that is gone which one sweep ends. */
export const deadLetterBatch = 200;
/** Maximum number of held deliveries in one sweep; tenants take turns. */
export const maxHeldAtOnce = 2_000;
