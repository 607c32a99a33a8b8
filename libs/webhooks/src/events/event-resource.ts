import type { EventResource } from '@eas/contracts';
import { type EventText, payloadBytes } from './payload.ts';

export function eventResource(event: EventText): EventResource {
  return JSON.parse(payloadBytes(event).toString()) as EventResource;
}
