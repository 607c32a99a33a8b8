import { z } from 'zod';
import { defineEvents } from './event.ts';

export const integrationEvents = defineEvents({
  /** A receipt from outside was verified and stored. */
  'inbound.received': { visibility: 'internal', data: z.object({ inbound_event_id: z.string() }), facts: null },
  'pr.opened': {
    visibility: 'public',
    data: z.object({
      repository: z.string(),
      number: z.int(),
      title: z.string(),
      url: z.string(),
      author: z.string(),
      branch: z.string(),
      task_id: z.string().nullable(),
    }),
    facts: null,
  },
});
