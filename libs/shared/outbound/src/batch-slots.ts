import { createFairSlots, type FairSlots } from '@eas/core';
import { createDestinationPaces, type DestinationPaces, type Timed } from './destination-pace.ts';

/** Slots of a process for batches of messages, each of one destination. Tenants take turns. */
export type BatchSlots = {
  first: FairSlots;
  /** For what is sent again and for slow destinations, so that others do not wait for these. */
  again: FairSlots;
  paces: DestinationPaces;
};

/** One in four slots more, for these. */
const againShare = 1 / 4;
/** Batches in hand that wait for their tenant's turn, for each that is sent. */
const waitingPerSlot = 3;
/** A batch waits that long for a slot of its tenant's share. */
const waitForSlotMs = 5_000;

/** `inHand`: how many batches can be in a slot or wait for one. `unlimited`: see createDestinationPaces. */
export function createBatchSlots(count: number, unlimited: number): { slots: BatchSlots; inHand: number } {
  const again = Math.ceil(count * againShare);
  const fairSlots = (slots: number) => createFairSlots({ slots, maxWaiting: slots * waitingPerSlot });
  const slots = { first: fairSlots(count), again: fairSlots(again), paces: createDestinationPaces(unlimited) };
  return { slots, inHand: (count + again) * (1 + waitingPerSlot) };
}

/** Why a batch is left to a later time: its destination is slow, or its tenant has its share of the slots. */
type PutOff = 'slow' | 'share';

type Batch = { tenantId: string; destination: string; isAgain?: boolean | undefined; signal: AbortSignal };

/** Waits for a slot. Call `leave` at the end, with the attempts that were made. */
export async function enterBatch(
  { first, again, paces }: BatchSlots,
  { tenantId, destination, isAgain = false, signal }: Batch,
): Promise<{ leave: (attempts: readonly Timed[]) => void; putOff?: never } | { putOff: PutOff }> {
  const leavePace = paces.tryEnter(destination);
  if (!leavePace) return { putOff: 'slow' };
  const slots = isAgain || paces.isSlow(destination) ? again : first;
  let leaveSlot: (() => void) | undefined;
  try {
    leaveSlot = await slots.enter(tenantId, AbortSignal.any([signal, AbortSignal.timeout(waitForSlotMs)]));
  } finally {
    if (!leaveSlot) leavePace([]);
  }
  if (!leaveSlot) return { putOff: 'share' };
  const leave = (attempts: readonly Timed[]) => {
    leaveSlot();
    leavePace(attempts);
  };
  return { leave };
}
