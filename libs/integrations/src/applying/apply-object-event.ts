import type { Applied } from '../inbound/inbound-event.ts';
import type { ReadReceipt } from './read-receipt.ts';
import { mergeObject } from '../platform/platform-object.ts';
import { objectKeyOf, type PlatformBatch } from './platform-batch.ts';

export function applyObjectEvent(batch: PlatformBatch, read: Extract<ReadReceipt, { kind: 'object' }>): Applied {
  const key = objectKeyOf(read);
  const { copy, isChanged, tooLarge } = mergeObject(batch.objectOf(key), read.reported);
  if (tooLarge !== undefined) return { status: 'failed', outcome: tooLarge };
  batch.setObject(key, copy);
  return isChanged
    ? { status: 'applied', outcome: 'copy updated' }
    : { status: 'ignored', outcome: 'nothing newer than the stored state' };
}
