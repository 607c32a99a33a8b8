import { type PlatformEvent, platformIdField } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import type { Applied } from '../inbound/inbound-event.ts';
import type { WaitingReceipt } from '../inbound/inbound-event.store.ts';
import { mergePlatformObject } from './platform-object.store.ts';
import { readMillis } from './platform-value.ts';

const idFields = Object.values(platformIdField);

/** Updates the kept copy of a list, folder, space, goal or key result. */
export async function applyObjectEvent(ctx: UseCaseContext, receipt: WaitingReceipt): Promise<Applied> {
  const body = JSON.parse(receipt.body) as PlatformEvent;
  const isMerged = await mergePlatformObject(ctx, {
    integrationRef: receipt.integrationRef,
    kind: receipt.event.replace(/(Created|Updated|Deleted)$/, ''),
    externalId: receipt.externalId ?? '',
    data: objectData(body),
    updatedAt: dateOf(body, receipt.receivedAt),
  });
  return isMerged
    ? { status: 'applied', outcome: 'copy updated' }
    : { status: 'ignored', outcome: 'the copy is newer' };
}

function objectData(body: PlatformEvent): Record<string, unknown> {
  const ids = idFields.flatMap((field) => (body[field] ? [[field, body[field]] as const] : []));
  const told = (body.history_items ?? []).flatMap(({ field, after }) =>
    typeof field === 'string' && after !== undefined ? [[field, after] as const] : [],
  );
  const isDeleted = body.event.endsWith('Deleted');
  return Object.fromEntries([...ids, ...Object.entries(body.data ?? {}), ...told, ['is_deleted', isDeleted]]);
}

function dateOf({ history_items: items }: PlatformEvent, receivedAt: Date): Date {
  const dates = (items ?? []).flatMap(({ date }) => readMillis(date) ?? []);
  return dates.length === 0 ? receivedAt : new Date(Math.max(...dates));
}
