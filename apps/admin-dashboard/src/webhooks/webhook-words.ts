import type { Schemas } from '../api/client.ts';
import type { Tone } from '../parts/tag.tsx';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type DeliveryStatus = 'pending' | 'held' | 'delivered' | 'dead';

export const deliveryStatuses = ['pending', 'held', 'delivered', 'dead'] as const;

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  failing: 'warn',
  paused: 'bad',
  pending: 'accent',
  held: 'warn',
  delivered: 'good',
  dead: 'bad',
};
/** Of the status of a webhook or of a delivery; new values can be added. */
export const toneOf = (status: string): Tone => tones[status] ?? 'none';

export const eventTypes = [
  'task.created',
  'task.assigned',
  'task.started',
  'task.updated',
  'task.blocked',
  'task.asked',
  'task.answered',
  'task.completed',
  'task.failed',
  'task.cancelled',
  'task.commented',
  'agent.presence_changed',
  'pr.opened',
  'pr.updated',
  'pr.merged',
  'pr.closed',
  'pr.reviewed',
  'pr.checks',
  'workflow.started',
  'workflow.step_completed',
  'workflow.completed',
  'workflow.failed',
  'workflow.cancelled',
  'webhook.failing',
  'webhook.paused',
  'webhook.disabled',
  'webhook.recovered',
  'ping',
] as const satisfies readonly NonNullable<Schemas['TestWebhook']['event_type']>[];
