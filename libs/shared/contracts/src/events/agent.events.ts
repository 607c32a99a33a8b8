import { z } from 'zod';
import { defineEvents, id, text, timestamp, word } from './event.ts';

export const agentEvents = defineEvents({
  'agent.presence_changed': {
    visibility: 'public',
    data: z.object({ agent_id: id, name: text, role: word, from: word, to: word }),
    facts: null,
  },
  /** Somebody who may be planned for is there, or can do more than before. `after`: where the planning goes on. */
  'agent.arrived': {
    visibility: 'internal',
    data: z.object({ agent_id: id, role: word, after: z.object({ rank: timestamp, id }).nullable() }),
    facts: null,
  },
});
