import type { SessionEntriesBody, SessionEntriesResult } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { findSession, insertBatch, sessionKey } from '../../records/sessions/session.store.ts';
import { areBrief, withBatch } from '../../records/sessions/session.ts';
import type { LeaseCall } from './lease-work.ts';
import { underLease } from './under-lease.ts';

/**
 * Appends what the agent said and did to the session of its task, once, and renews the lease. Throws 409 `state` when the
 * entries are not the next ones of the lease, and 409 `limit` when the lease has no space for them.
 */
export async function appendEntries(
  ctx: UseCaseContext,
  call: LeaseCall<SessionEntriesBody>,
): Promise<SessionEntriesResult> {
  const { first, entries, fencing_token: fencingToken } = call.body;
  const text = JSON.stringify(entries);
  const batch = {
    fencingToken,
    first,
    count: entries.length,
    bytes: Buffer.byteLength(text),
    isBrief: areBrief(entries),
  };
  return underLease(
    ctx,
    call,
    async ({ tx, lease, task, change }) => {
      const before = await findSession(tx, task.id);
      const head = withBatch(before, batch);
      if (head !== before) {
        const [leaseId, agentId] = [lease.id, lease.agentId];
        await insertBatch(tx, head, {
          taskId: task.id,
          leaseId,
          agentId,
          at: change.at,
          after: before.lastNumber,
          text,
        });
        if (head.isFollowed) tx.notify('stream', sessionKey(task.id));
      }
      return { next: head.nextEntry, is_followed: head.isFollowed };
    },
    // What an agent says while it waits for a person belongs to its session too.
    { mayBeParked: true },
  );
}
