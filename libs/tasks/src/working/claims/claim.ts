import type { ClaimResult } from '@eas/contracts';
import type { LockedAgent } from '../../records/agents/agent.store.ts';

export type ClaimInput = {
  agentId: string;
  /** A second claim with the same key returns the same lease while that is live. */
  claimKey?: string | undefined;
  /** Only tasks of these. */
  projects?: readonly string[] | undefined;
  /** How long each call under the lease renews it; unset: LEASE_SECONDS. */
  leaseSeconds?: number | undefined;
};

export type Claim = {
  body: ClaimResult;
  /** An earlier claim with the same key got the lease. */
  isReplayed: boolean;
  /** How long the task could have been claimed; unknown when replayed. */
  waitedMs?: number | undefined;
  /** Of the span that created the task, where that is traced. */
  traceparent?: string | null | undefined;
};

/** The result of a poll for work by `agent`. isFull: it holds its maximum number of tasks, so it gets none. */
export type Poll = {
  claim: Claim | undefined;
  isFull: boolean;
  agent: Pick<LockedAgent, 'role' | 'capabilities'>;
};
