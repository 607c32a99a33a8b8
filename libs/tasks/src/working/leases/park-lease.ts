import { AppError } from '@eas/core';
import type { Tx } from '@eas/db';
import { blockingInputOf } from '../../records/leases/parked-lease.store.ts';

/** 409 `state` for a call that a parked lease does not accept, naming the input that it waits for. */
export async function waitsForAnswer(tx: Tx, taskId: string): Promise<AppError> {
  const inputId = await blockingInputOf(tx, taskId);
  const message = `The lease waits for the answer to input ${inputId}. Until then only heartbeat, acknowledge and checkpoint are allowed.`;
  return new AppError('conflict', { field: 'lease_id', constraint: 'state', message });
}
