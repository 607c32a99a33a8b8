import type { ClaimResult } from '@eas/contracts';
import { AppError } from '@eas/core';
import { type BatchResult, needsOwnTransaction, type Tx } from '@eas/db';
import { assertAccepts, hasSlot } from '../../records/agents/agent-state.ts';
import type { LockedAgent } from '../../records/agents/agent.store.ts';
import { lockTask } from '../../records/tasks/task.store.ts';
import type { ClaimInput, Poll } from './claim.ts';
import { claimResults } from './claim-result.ts';
import { type GivenLease, replayClaim } from './claim.store.ts';

/** The result of a claim that gets no new task, whatever tasks there are; undefined: it may get one. */
export async function pollWithoutTask(
  tx: Tx,
  agent: LockedAgent | undefined,
  { claimKey }: ClaimInput,
  mayWait: boolean,
): Promise<BatchResult<Poll> | undefined> {
  // Its projects are searched one after the other if some have no budget left.
  if (!mayWait && (!agent || agent.hasExhaustedProjects)) return needsOwnTransaction;
  try {
    if (!agent) throw new AppError('not_found', { message: 'The agent does not exist.' });
    const given = claimKey && (await replayClaim(tx, agent.id, claimKey));
    if (given) return polled({ agent, isFull: false, claim: { body: await resultAgain(tx, given), isReplayed: true } });
    assertAccepts(agent);
    return hasSlot(agent) ? undefined : polled({ agent, isFull: true, claim: undefined });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, error };
  }
}

export const polled = (value: Poll): BatchResult<Poll> => ({ ok: true, value });

async function resultAgain(tx: Tx, { taskId, expiresAt }: GivenLease): Promise<ClaimResult> {
  const task = await lockTask(tx, taskId);
  if (!task || expiresAt === null) throw isParked();
  const [result] = await claimResults(tx, [{ ...task, expiresAt }]);
  if (!result) throw new Error('a claim has no result');
  return result;
}

function isParked(): AppError {
  const message = 'The lease of this Idempotency-Key is waiting for an answer to its input. Continue with that lease.';
  return new AppError('conflict', { field: 'Idempotency-Key', constraint: 'state', message });
}
