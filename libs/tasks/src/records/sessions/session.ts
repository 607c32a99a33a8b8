import { AppError } from '@eas/core';

/** How far the session of a task is. */
export type SessionHead = {
  /** Of the lease whose entries came last. */
  fencingToken: number;
  /** That lease's number of its next entry. */
  nextEntry: number;
  /** Number of the last entry among all of the task. */
  lastNumber: number;
  bytes: number;
  isFollowed: boolean;
};

/** What the entries of one task may take, before they are compressed. */
export const maxTaskBytes = 64 * 1_024 * 1_024;

export const emptySession: SessionHead = { fencingToken: 0, nextEntry: 1, lastNumber: 0, bytes: 0, isFollowed: false };

type Batch = { fencingToken: number; first: number; count: number; bytes: number };

/**
 * The head with a batch behind it; the same head for a batch that is there already. Each lease begins with entry 1. Throws
 * 409 `state` when the batch is not the next one, and 409 `limit` when the task has no space for it.
 */
export function withBatch(head: SessionHead, { fencingToken, first, count, bytes }: Batch): SessionHead {
  const nextEntry = head.fencingToken === fencingToken ? head.nextEntry : 1;
  if (first + count <= nextEntry) return head;
  if (first !== nextEntry) throw notNext(nextEntry);
  if (head.bytes + bytes > maxTaskBytes) throw full();
  return {
    ...head,
    fencingToken,
    nextEntry: first + count,
    lastNumber: head.lastNumber + count,
    bytes: head.bytes + bytes,
  };
}

function notNext(number: number): AppError {
  const message = `The next entry of this lease is number ${number}.`;
  return new AppError('conflict', { field: 'first', constraint: 'state', message });
}

function full(): AppError {
  const message = `The session of the task already has ${maxTaskBytes} bytes, the maximum.`;
  return new AppError('conflict', { field: 'entries', constraint: 'limit', message });
}
