import { z } from 'zod';

/** `public` events go to endpoints and streams; `internal` ones only to consumers inside. */
export type EventDef = {
  visibility: 'public' | 'internal';
  /** What subscribers see. The text made of it once is what every delivery sends. */
  data: z.ZodType<Record<string, unknown>>;
  /** What consumers inside need beyond the data; never sent. */
  facts: z.ZodType<Record<string, unknown>> | null;
};

export const defineEvents = <const E extends Record<string, EventDef>>(events: E): E => events;

export const timestamp = z.iso.datetime({ offset: true }).max(64);

// Bounds for readers, wider than what is ever written: an event that was stored is parsed again later.
export const id = z.string().max(64);
export const word = z.string().max(64);
/** Of a person, as another system writes it. */
export const name = z.string().max(1_000);
export const text = z.string().max(65_536);
export const address = z.string().max(2_048);
