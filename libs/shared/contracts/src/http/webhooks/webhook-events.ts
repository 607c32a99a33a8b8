import { z } from 'zod';
import { wholeNumberInput } from '../../fields.ts';
import { eventResource } from '../events.ts';
import { maxPageSize } from '../list.ts';

const maxCursorLength = 500;
const maxPullWaitSeconds = 30;

export const webhookEventsQuery = z.object({
  after: z.string().max(maxCursorLength).optional().meta({
    description:
      'The `next_cursor` of the previous page, or the `event_id` of the last event that you received. If that event is no longer stored, the page begins with the oldest one that is. Without it the page begins with the oldest event that is stored.',
  }),
  limit: wholeNumberInput(1, maxPageSize)
    .optional()
    .meta({ default: maxPageSize, description: 'Maximum number of events in the page.' }),
  wait_seconds: wholeNumberInput(0, maxPullWaitSeconds)
    .optional()
    .meta({ default: 0, description: 'Maximum number of seconds to wait for an event if there is none now.' }),
});

export const webhookEvents = z
  .object({
    data: z.array(eventResource).max(maxPageSize).describe('The events, oldest first.'),
    next_cursor: z
      .string()
      .max(maxCursorLength)
      .describe('Opaque. Send it as `after` to get what follows; it is there on empty pages too.'),
    has_more: z.boolean().describe('Whether more events may follow at once.'),
  })
  .meta({
    id: 'WebhookEvents',
    description: 'Events of a webhook, in the order in which they were committed.',
    example: {
      data: [z.globalRegistry.get(eventResource)?.example],
      next_cursor: 'v1.WyJudW1iZXIiLDQyXQ',
      has_more: false,
    },
  });
export type WebhookEvents = z.infer<typeof webhookEvents>;
