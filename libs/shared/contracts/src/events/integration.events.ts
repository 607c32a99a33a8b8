import { z } from 'zod';
import { address, defineEvents, id, text } from './event.ts';

export const integrationEvents = defineEvents({
  /** A receipt from outside was verified and stored. */
  'inbound.received': { visibility: 'internal', data: z.object({ inbound_event_id: z.string() }), facts: null },
  'pr.opened': {
    visibility: 'public',
    data: z.object({
      repository: text,
      number: z.int().min(1).max(2_147_483_647),
      title: text,
      url: address,
      author: text,
      branch: text,
      task_id: id.nullable(),
    }),
    facts: null,
  },
});
