import { z } from 'zod';

/** `public` events go to endpoints and streams; `internal` ones only to internal consumers. */
export type EventDef = {
  visibility: 'public' | 'internal';
  /** The data that subscribers see. It is serialised once, and every delivery sends the same text. */
  data: z.ZodType<Record<string, unknown>>;
  /** Additional data for internal consumers; never sent. */
  facts: z.ZodType<Record<string, unknown>> | null;
};

export const defineEvents = <const E extends Record<string, EventDef>>(events: E): E => events;

export const eventData = <S extends z.ZodRawShape>(description: string, shape: S, example: Record<string, unknown>) =>
  z.object(shape).meta({ description, example });

// Bounds for readers, wider than what is ever written: an event that was stored is parsed again later.
export const timestamp = (description: string) => z.iso.datetime({ offset: true }).max(64).describe(description);
export const id = (description: string) => z.string().max(64).describe(description);
export const word = (description: string) => z.string().max(64).describe(description);
/** Name of a person in another system. */
export const name = (description: string) => z.string().max(1_000).describe(description);
export const text = (description: string) => z.string().max(65_536).describe(description);
export const address = (description: string) => z.string().max(2_048).describe(description);
