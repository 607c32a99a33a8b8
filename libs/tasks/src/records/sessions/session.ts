import { AppError } from '@eas/core';

/** How far the session of a task is. */
export type SessionHead = {
  /** Of the lease whose entries came last. */
  fencingToken: number;
  /** That lease's number of its next entry. */
  nextEntry: number;
  /** Number of the last entry among all of the task. */
  lastNumber: number;
  /** Of that lease's entries, under this token. */
  bytes: number;
  isFollowed: boolean;
};

/** What the entries of one lease may take, before they are compressed; the last of it is reserved for brief ones. */
export const [maxBytes, reservedBytes] = [64 * 1_024 * 1_024, 1_024 * 1_024];

/** What people need to see although the session is full: that it is, what was asked and allowed, and how it ended. */
const briefKinds: readonly string[] = ['notice', 'question', 'permission', 'stop'];
export const areBrief = (entries: readonly { kind: string }[]): boolean =>
  entries.every(({ kind }) => briefKinds.includes(kind));

export const emptySession: SessionHead = { fencingToken: 0, nextEntry: 1, lastNumber: 0, bytes: 0, isFollowed: false };

type Batch = { fencingToken: number; first: number; count: number; bytes: number; isBrief: boolean };

/**
 * The head with a batch behind it; the same head for a batch that is there already. Each lease begins with entry 1 and 0
 * bytes. Throws 409 `state` when the batch is not the next one, and 409 `limit` when the lease has no space for it.
 */
export function withBatch(head: SessionHead, { fencingToken, first, count, bytes, isBrief }: Batch): SessionHead {
  const isSame = head.fencingToken === fencingToken;
  const [nextEntry, before] = isSame ? [head.nextEntry, head.bytes] : [1, 0];
  if (first + count <= nextEntry) return head;
  if (first !== nextEntry) throw notNext(nextEntry);
  if (before + bytes > (isBrief ? maxBytes : maxBytes - reservedBytes)) throw full();
  return {
    ...head,
    fencingToken,
    nextEntry: first + count,
    lastNumber: head.lastNumber + count,
    bytes: before + bytes,
  };
}

function notNext(number: number): AppError {
  const message = `The next entry of this lease is number ${number}.`;
  return new AppError('conflict', { field: 'first', constraint: 'state', message });
}

function full(): AppError {
  const message = `The entries of this lease already take ${maxBytes} bytes, the maximum. The last ${reservedBytes} of them are reserved for notices, questions, permissions and stops.`;
  return new AppError('conflict', { field: 'entries', constraint: 'limit', message });
}
