import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput } from '../fields.ts';
import { listQuery, listResponse } from './list.ts';

export const eventResource = z
  .object({
    event_type: z.string().max(64).meta({ description: 'The type of the event.', example: 'task.completed' }),
    event_id: idOf('ID of the event. It is the same in every delivery.'),
    timestamp: timestampOutput.describe('When the event happened.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('What happened. Its fields depend on the type: see the webhooks of this document.'),
  })
  .meta({
    id: 'Event',
    description: 'Something that happened.',
    example: {
      event_type: 'task.cancelled',
      event_id: exampleId('evt'),
      timestamp: exampleTime,
      data: { task_id: exampleId('tsk'), title: 'Limit failed logins', cancelled_by: exampleId('usr') },
    },
  });
export type EventResource = z.infer<typeof eventResource>;

const text = z.string().max(500);

export const eventListQuery = listQuery({
  sortable: ['event_id', 'event_type', 'timestamp'],
  filters: { event_id: text, event_type: text, timestamp: timestampInput },
});
export type EventListQuery = z.output<typeof eventListQuery>;

export const eventList = listResponse(eventResource);
