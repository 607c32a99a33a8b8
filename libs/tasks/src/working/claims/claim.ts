import type { ClaimResult } from '@eas/contracts';
import type { LockedAgent } from '../../records/agents/agent.store.ts';

export type ClaimInput = {
  agentId: string;
  /** Given twice it gives the same lease, as long as that one lives. */
  claimKey?: string | undefined;
  /** Only tasks of these. */
  projects?: readonly string[] | undefined;
  /** For how long each call under the lease renews it; unset: LEASE_SECONDS. */
  leaseSeconds?: number | undefined;
};

export type Claim = {
  body: ClaimResult;
  /** An earlier claim with the same key got the lease. */
  isReplayed: boolean;
  /** For how long the task could have been claimed; unknown when replayed. */
  waitedMs?: number | undefined;
  /** Of the span that created the task, where that is traced. */
  traceparent?: string | null | undefined;
};

/** What came of claimers for work; `agent` is who looked. isFull: it holds as many tasks as it may, so it gets none. */
export type Poll = {
  claim: Claim | undefined;
  isFull: boolean;
  agent: Pick<LockedAgent, 'role' | 'capabilities'>;
};

/**
 * `again`: another claim of the agent came first. `alone`: somebody else has locked its row, it is not there, or it may
 * have tasks of some projects alone.
 */
export type SharedPoll = Poll | 'again' | 'alone';
