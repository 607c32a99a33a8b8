import type { EventResource } from '@eas/contracts';
import { type EventText, payloadBytes } from './payload.ts';

/** An event as clients read it: what a delivery of it carries. */
export function eventResource(event: EventText): EventResource {
  return JSON.parse(payloadBytes(event).toString()) as EventResource;
}
