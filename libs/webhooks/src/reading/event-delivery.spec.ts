import { expect, it } from '@jest/globals';
import type { EventEndpoint } from './event-delivery.read-model.ts';
import { eventDelivery } from './event-delivery.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds));
const now = at(30);
const event = { type: 'task.created', at: at(10) };
const none: EventEndpoint = {
  endpointId: 'whk_1',
  subscriptions: ['task.*'],
  endpointStatus: 'active',
  statusReason: null,
  isDeleted: false,
  createdAt: at(0),
  nextSendAt: null,
  deliveryId: null,
  status: null,
  reason: null,
  attempts: null,
  triesFrom: null,
  nextAttemptAt: null,
  lastStatus: null,
  lastOutcome: null,
  isFanOutPending: false,
};
const some = { ...none, deliveryId: 'dlv_1', status: 'pending', attempts: 0, triesFrom: 0, nextAttemptAt: at(29) };
const failed = { ...some, attempts: 2, nextAttemptAt: at(90), lastStatus: 503, lastOutcome: 'http_5xx' };

it.each<[string, Partial<EventEndpoint>, string, string | null]>([
  ['sent and accepted', { ...some, status: 'delivered', attempts: 1 }, 'delivered', null],
  ['out of tries', { ...failed, status: 'dead' }, 'dead', 'http_5xx'],
  ['dead for a reason of its own', { ...failed, status: 'dead', reason: 'webhook_deleted' }, 'dead', 'webhook_deleted'],
  ['dead without an attempt', { ...some, status: 'dead', endpointStatus: 'disabled' }, 'dead', 'webhook_disabled'],
  ['due', some, 'pending', null],
  ['waiting for its next try', failed, 'retrying', 'http_5xx'],
  ['waiting for a worker to try again', { ...failed, nextAttemptAt: at(29) }, 'retrying', 'http_5xx'],
  ['resent after its tries', { ...failed, triesFrom: 2, nextAttemptAt: at(29) }, 'pending', null],
  ['waiting for the rate of its endpoint', { ...some, nextSendAt: at(31) }, 'throttled', 'max_per_second'],
  [
    'kept while its endpoint is paused',
    { ...failed, status: 'held', endpointStatus: 'paused' },
    'paused',
    'webhook_paused',
  ],
  [
    'waiting for an endpoint that was disabled',
    { ...some, endpointStatus: 'disabled', statusReason: 'gone' },
    'disabled',
    'gone',
  ],
  ['waiting for an endpoint that was deleted', { ...some, isDeleted: true }, 'disabled', 'webhook_deleted'],
  ['of a type that is not subscribed to', { subscriptions: ['pr.*'] }, 'filtered', 'subscription'],
  ['older than its endpoint', { createdAt: at(11) }, 'created_later', null],
  ['not fanned out yet', { isFanOutPending: true, createdAt: at(11) }, 'pending', 'fan_out'],
  ['for a disabled endpoint', { endpointStatus: 'disabled' }, 'disabled', 'webhook_disabled'],
  ['without a delivery', {}, 'missing', 'no_delivery'],
])('an event that is %s', (_what, endpoint, state, reason) => {
  expect(eventDelivery({ ...none, ...endpoint }, event, now)).toMatchObject({ state, reason });
});

it('has its last response and when it is tried next', () => {
  expect(eventDelivery(failed, event, now)).toEqual({
    webhook_id: 'whk_1',
    delivery_id: 'dlv_1',
    state: 'retrying',
    reason: 'http_5xx',
    attempts: 2,
    last_status: 503,
    next_attempt_at: '2026-11-20T10:01:30Z',
  });
});
