import { z } from 'zod';
import { subscribableEventTypes } from '../events/catalogue.ts';

const families = subscribableEventTypes.filter((type) => type.includes('.')).map((type) => type.replace(/\..*/, '.*'));
const subscriptions: readonly string[] = [...subscribableEventTypes, ...new Set(families), '*'];
export const subscriptionInput = z
  .enum(subscriptions, { error: `is not a known event type; known types: ${subscriptions.join(', ')}` })
  .meta({
    id: 'Subscription',
    description: 'An event type, all types of a family (`task.*`), or all events (`*`). New types can be added.',
    example: 'task.completed',
  });
