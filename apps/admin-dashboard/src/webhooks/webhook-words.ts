import type { Schemas } from '../api/client.ts';
import { deliveryStatusValues, subscriptionValues } from '../generated/api.ts';
import type { Tone } from '../parts/tag.tsx';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type DeliveryStatus = Schemas['DeliveryStatus'];

export const deliveryStatuses = deliveryStatusValues;

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  failing: 'warn',
  paused: 'bad',
  pending: 'accent',
  held: 'warn',
  delivered: 'good',
  dead: 'bad',
};
/** The tone of the status of a webhook or delivery; the service may add values. */
export const toneOf = (status: string): Tone => tones[status] ?? 'none';

export type EventType = Exclude<Schemas['Subscription'], '*' | `${string}.*`>;
export const eventTypes = subscriptionValues.filter((type): type is EventType => !type.includes('*'));
