import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, ApiResponse } from '../../api/api.ts';
import type { Log } from '../../log.ts';
import type { LeftLease } from './held-lease.ts';

/** How often a lease is asked for whose answer has not come, or for which there is no slot. */
const againMs = 2_000;

export type ResumeParts = { api: Api; log: Log; stopping: AbortSignal };

/**
 * A runner that was killed after the response to its resume may not have written down the new token: each resume adds
 * 1. No other runner resumes a lease whose lock is held.
 */
const maxUnknown = 5;

/** `hasWaited`: for a person, so that the task got somewhere since it was resumed the last time. */
export type Resumed = { response: ApiResponse; hasWaited: boolean };

/** Resumes a lease; waits for its answer and a free slot. Undefined: it is lost, or the signal aborted. */
export async function resumeLease(
  { api, log, stopping }: ResumeParts,
  { taskId, held }: LeftLease,
): Promise<Resumed | undefined> {
  let { fencingToken } = held;
  let hasWaited = false;
  for (let tries = 1; !stopping.aborted; tries += 1) {
    const response = await api(resumeCall(held.leaseId, fencingToken), stopping).catch(() => undefined);
    if (!response) return undefined;
    const { error, status } = response;
    if (!error) return { response, hasWaited };
    const { constraint } = error.details;
    if (constraint === 'lease_lost' && fencingToken < held.fencingToken + maxUnknown) {
      fencingToken += 1;
      continue;
    }
    if (status !== 409 || (constraint !== 'state' && constraint !== 'limit')) {
      log(`${taskId} not resumed: ${error.message}`);
      return undefined;
    }
    if (tries === 1) log(`${taskId} ${constraint === 'state' ? 'waiting for a person' : 'waiting for a slot'}`);
    hasWaited ||= constraint === 'state';
    await sleep(againMs, undefined, { signal: stopping }).catch(() => {});
  }
  return undefined;
}

const resumeCall = (leaseId: string, fencingToken: number) => ({
  method: 'POST' as const,
  path: `/v1/leases/${leaseId}/resume`,
  body: { fencing_token: fencingToken },
  maxDelayMs: againMs,
});
