import { z } from 'zod';
import { wholeNumberInput } from '../fields.ts';

export const streamQuery = z.object({
  last_event_id: wholeNumberInput(0, 999_999_999_999_999)
    .optional()
    .describe(
      'Id of the last event that you received. For clients that cannot set the header `Last-Event-ID`, which overrides it.',
    ),
});
