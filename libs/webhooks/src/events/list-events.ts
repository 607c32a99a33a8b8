import { type EventResource, type Page, type PageOfItems, type Scope, typesToRead } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { eventResource } from './event-resource.ts';
import { type EventFilter, pageEvents } from './event.read-model.ts';

export async function listEvents(
  ctx: UseCaseContext,
  { scopes, filter }: { scopes: readonly Scope[]; filter: EventFilter },
  page: Page,
): Promise<PageOfItems<EventResource>> {
  const { items, ...rest } = await pageEvents(ctx, typesToRead(scopes), filter, page);
  return { items: items.map(eventResource), ...rest };
}
