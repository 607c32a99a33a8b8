import type { agentStatuses, presences } from '@eas/contracts';
import { AppError } from '@eas/core';

export type AgentStatus = (typeof agentStatuses)[number];
export type Presence = (typeof presences)[number];

/** The current and maximum work of an agent. A parked lease does not count as live. */
export type AgentLoad = { activeLeases: number; maxConcurrentTasks: number };

/** What an agent is doing follows from its live leases and is stored nowhere. */
export function agentStatus(load: AgentLoad): AgentStatus {
  if (load.activeLeases === 0) return 'idle';
  return hasSlot(load) ? 'active' : 'busy';
}

/** Whether it may hold one more lease. It may hold more than its maximum if that was lowered. */
export function hasSlot({ activeLeases, maxConcurrentTasks }: AgentLoad): boolean {
  return activeLeases < maxConcurrentTasks;
}

/** Throws 409 `state` for an agent that is paused or drained. */
export function assertAccepts({ isAccepting }: { isAccepting: boolean }): void {
  if (isAccepting) return;
  const message = 'The agent does not accept tasks. Resume the agent first.';
  throw new AppError('conflict', { field: 'agent_id', constraint: 'state', message });
}

/** Lease times without a sign of an agent after which it is stale, and after which it is offline. */
export const staleAfter = 1;
export const offlineAfter = 10;

/** The presence of an agent: seen within one lease time, within ten, or longer ago or never. */
export function presenceOf(lastSeenAt: Date | null, now: Date, leaseSeconds: number): Presence {
  if (lastSeenAt === null) return 'offline';
  const leaseTimes = (now.getTime() - lastSeenAt.getTime()) / 1_000 / leaseSeconds;
  if (leaseTimes <= staleAfter) return 'online';
  return leaseTimes <= offlineAfter ? 'stale' : 'offline';
}
