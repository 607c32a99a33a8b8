import type { WaitingOn } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import { reviveSeconds } from '../records/leases/parked-lease.ts';
import { isFinal, type TaskStatus } from '../records/tasks/task.ts';

export type WaitingTask = {
  status: TaskStatus;
  /** Since when it has that status, or its platform has it wait. */
  since: Date;
  isHeld: boolean;
  notBefore: Date | null;
  assignedAgent: string | null;
  lease: { expiresAt: Date | null; reviveUntil: Date | null } | null;
  blockingInput: { id: string; expiresAt: Date } | null;
  review: { id: string; status: TaskStatus; since: Date } | null;
  /** A budget that is used up, so that no agent can claim the task. */
  budget: { id: string; since: Date; endsAt: Date } | null;
};

type Wait = { kind: WaitingOn['kind']; id?: string | null; since?: Date; deadline?: Date | null };

/** The person, agent or reason that a task waits for; null only for a final one. */
export function waitingOn(task: WaitingTask, now: Date): WaitingOn | null {
  const wait = waitOf(task, now);
  if (!wait) return null;
  const { kind, id = null, since = task.since, deadline = null } = wait;
  return { kind, id, since: formatTimestamp(since), deadline: deadline && formatTimestamp(deadline) };
}

function waitOf(task: WaitingTask, now: Date): Wait | undefined {
  const { status, assignedAgent, lease } = task;
  if (isFinal(status)) return undefined;
  if (status === 'in_progress') return { kind: 'agent', id: assignedAgent, deadline: lease?.expiresAt ?? null };
  if (status === 'blocked') return whileBlocked(task);
  if (status === 'in_review') return whileInReview(task);
  if (task.isHeld) return { kind: 'external' };
  if (task.notBefore && task.notBefore > now) return { kind: 'timer', deadline: task.notBefore };
  if (task.budget) {
    const { id, since, endsAt } = task.budget;
    return { kind: 'budget', id, since: later(task.since, since), deadline: endsAt };
  }
  // Until then it waited for the time.
  return { kind: 'agent', id: assignedAgent, since: later(task.since, task.notBefore) };
}

const later = (since: Date, then: Date | null): Date => (then !== null && then > since ? then : since);

/** For the answer, and after it for the agent that asked. */
function whileBlocked({ assignedAgent, lease, blockingInput }: WaitingTask): Wait {
  if (!lease?.reviveUntil)
    return { kind: 'person', id: blockingInput?.id ?? null, deadline: blockingInput?.expiresAt ?? null };
  const answeredAt = new Date(lease.reviveUntil.getTime() - reviveSeconds * 1_000);
  return { kind: 'agent', id: assignedAgent, since: answeredAt, deadline: lease.reviveUntil };
}

/** A review that ended without a decision leaves it to a person. */
function whileInReview({ review, since }: WaitingTask): Wait {
  if (review && !isFinal(review.status)) return { kind: 'dependency', id: review.id };
  return { kind: 'person', since: later(since, review && review.since) };
}
