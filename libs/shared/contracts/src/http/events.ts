import { z } from 'zod';
import { idOutput, timestampInput, timestampOutput } from './fields.ts';
import { listQuery, listResponse } from './list.ts';

/** An event exactly as deliveries carry it. */
export const eventResource = z.object({
  event_type: z.string().max(64).meta({ example: 'task.completed' }),
  event_id: idOutput.meta({ example: 'evt_01ks0000000000000000000000' }),
  timestamp: timestampOutput,
  data: z.record(z.string(), z.unknown()),
});
export type EventResource = z.infer<typeof eventResource>;

const text = z.string().max(500);

export const eventListQuery = listQuery({
  sortable: ['event_id', 'event_type', 'timestamp'],
  filters: { event_id: text, event_type: text, timestamp: timestampInput },
});
export type EventListQuery = z.output<typeof eventListQuery>;

export const eventList = listResponse(eventResource);
