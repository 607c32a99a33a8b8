import { knownPlatformEvents } from '@eas/contracts';
import { append, type Tx } from '@eas/db';
import { type LockedReceipt, setReceived } from './receive-again.store.ts';

/** Why a receipt cannot be applied again; undefined: it can. */
export function problemOf(receipt: LockedReceipt): { field: string; message: string } | undefined {
  const { status, hasBody, source, event } = receipt;
  if (status === 'received') return { field: 'state', message: 'The inbound event is waiting to be applied already.' };
  if (!hasBody)
    return {
      field: 'body',
      message: 'The body of the inbound event was removed for its age. It cannot be applied again.',
    };
  if (source === 'taskplatform' && !knownPlatformEvents.has(event))
    return { field: 'event', message: `The event ${event} is not known to this version of the service.` };
  return undefined;
}

/** Gives locked receipts to the consumer `inbound.apply` once more. Applying decides by dates: what is older changes nothing. */
export async function receiveAgain(tx: Tx, receipts: readonly LockedReceipt[], at: Date): Promise<void> {
  if (receipts.length === 0) return;
  await setReceived(
    tx,
    receipts.map(({ id }) => id),
  );
  for (const { id } of receipts)
    append(tx, { type: 'inbound.received', at, data: { inbound_event_id: id }, facts: null });
}
