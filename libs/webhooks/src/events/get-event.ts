import { type EventResource, type Scope, typesToRead } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { eventResource } from './event-resource.ts';
import { findEvent } from './event.read-model.ts';

/** One event. Throws not_found, also for one that the scopes do not let read. */
export async function getEvent(ctx: UseCaseContext, id: string, scopes: readonly Scope[]): Promise<EventResource> {
  const event = await findEvent(ctx, id, typesToRead(scopes));
  if (!event) throw new AppError('not_found', { message: 'The event does not exist.' });
  return eventResource(event);
}
