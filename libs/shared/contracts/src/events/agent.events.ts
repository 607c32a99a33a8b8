import { z } from 'zod';
import { exampleId } from '../fields.ts';
import { defineEvents, eventData, id, text, timestamp, word } from './event.ts';

const agentId = id('ID of the agent.');
const role = word('The role of the agent.');

export const agentEvents = defineEvents({
  'agent.presence_changed': {
    visibility: 'public',
    data: eventData(
      'An agent came online, became stale or went offline.',
      {
        agent_id: agentId,
        name: text('The name of the agent.'),
        role,
        from: word('The presence before: online, stale or offline.'),
        to: word('The presence after: online, stale or offline.'),
      },
      { agent_id: exampleId('agt'), name: 'Ada', role: 'rd', from: 'online', to: 'stale' },
    ),
    facts: null,
  },
  /** An agent that can be planned for arrived, or gained capabilities. `after`: where the planning continues. */
  'agent.arrived': {
    visibility: 'internal',
    data: z.object({
      agent_id: agentId,
      role,
      after: z.object({ rank: timestamp('Rank of the last planned task.'), id: id('ID of that task.') }).nullable(),
    }),
    facts: null,
  },
});
