import { z } from 'zod';
import { wholeNumberInput } from '../fields.ts';

export const streamQuery = z.object({
  last_event_id: wholeNumberInput(0, 999_999_999_999_999)
    .optional()
    .describe(
      'Id of the last event that you received. For clients that cannot set the header `Last-Event-ID`, which overrides it.',
    ),
});

/** Of a history that is read from its beginning, unless the client knows it. */
export const timelineStreamQuery = streamQuery.extend({
  from: z.enum(['beginning', 'now']).optional().meta({
    default: 'beginning',
    description:
      'Where the stream begins without a last id: with the first entry, or with the next one that comes. Read the resource once the stream is open, and you miss nothing.',
  }),
});
