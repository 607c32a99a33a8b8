import { z } from 'zod';
import { exampleId, exampleTime } from '../fields.ts';
import { address, defineEvents, eventData, id, text, timestamp, word } from './event.ts';

const webhookId = id('ID of the webhook.');
const health = {
  webhook_id: webhookId,
  url: address('Address of the webhook.'),
  status: word('Status of the webhook after the change.'),
  reason: word('Why it changed. `requested`: a caller of the API changed it.').nullable(),
  failing_since: timestamp(
    'When the first of its failed attempts in a row was made. null: there were none.',
  ).nullable(),
  failures_in_row: z.int().min(0).max(2_147_483_647).describe('Number of failed attempts in a row before the change.'),
};
const exampleHealth = {
  webhook_id: exampleId('whk'),
  url: 'https://example.com/hooks',
  reason: null,
  failing_since: exampleTime,
  failures_in_row: 12,
};

/** These are not sent to the webhook that they are about. */
export const webhookEvents = defineEvents({
  'webhook.failing': {
    visibility: 'public',
    data: eventData('Deliveries to a webhook have been failing.', health, { ...exampleHealth, status: 'failing' }),
    facts: null,
  },
  'webhook.paused': {
    visibility: 'public',
    data: eventData('A webhook was paused after many failures. Its deliveries are kept.', health, {
      ...exampleHealth,
      status: 'paused',
    }),
    facts: null,
  },
  'webhook.disabled': {
    visibility: 'public',
    data: eventData('A webhook was disabled. Nothing is sent to it any more.', health, {
      ...exampleHealth,
      status: 'disabled',
      reason: 'requested',
    }),
    facts: null,
  },
  'webhook.recovered': {
    visibility: 'public',
    data: eventData('A webhook that was failing or paused is active again.', health, {
      ...exampleHealth,
      status: 'active',
    }),
    facts: null,
  },
  /** Sent on request, to one endpoint; never appended. */
  ping: {
    visibility: 'public',
    data: eventData(
      'A test of a webhook, sent when somebody asks for it.',
      { webhook_id: webhookId, message: text('A sentence for people.').optional() },
      { webhook_id: exampleId('whk') },
    ),
    facts: null,
  },
});
