import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../api/client.ts';
import { inboundConcern, waitingConcern, webhookConcern } from './concerns.ts';

const webhook = (more: Partial<Schemas['Webhook']>) =>
  ({
    id: 'whk_1',
    url: 'https://a.example',
    status: 'active',
    status_reason: null,
    failing_since: null,
    ...more,
  }) as Schemas['Webhook'];

describe('what needs attention', () => {
  it('is a webhook that fails, that the service turned off, or that has dead deliveries, and says why', () => {
    const why = (more: Partial<Schemas['Webhook']>, dead = 0) =>
      webhookConcern(
        { total: 1, isMore: false, data: [webhook(more)] },
        dead > 0 ? [{ webhook_id: 'whk_1', url: 'https://a.example', count: dead }] : [],
      ).items.map((item) => item.why);
    expect(why({})).toEqual([]);
    expect(why({ status: 'disabled', status_reason: 'requested' })).toEqual([]);
    expect(why({ status: 'disabled', status_reason: 'gone' })).toEqual(['disabled, nothing is sent (gone)']);
    expect(why({ status: 'failing', failing_since: '2026-11-20T10:00:00Z' })).toEqual(['deliveries fail, since']);
    expect(why({}, 2)).toEqual(['2 dead deliveries in 7 days']);
  });

  it('is a webhook with dead deliveries that is missing in the first page of the list', () => {
    const dead = [{ webhook_id: 'whk_2', url: 'https://b.example', count: 100 }];
    const { items, isMore } = webhookConcern({ total: 101, isMore: false, data: [webhook({})] }, dead);
    expect([items[0]?.title, items[0]?.why, isMore]).toEqual([
      'https://b.example',
      '100 or more dead deliveries in 7 days',
      false,
    ]);
    expect(webhookConcern({ total: 101, isMore: false, data: [webhook({ status: 'paused' })] }, []).isMore).toBe(true);
  });

  it('is work that waits for a review, by since when it does', () => {
    const task = (id: string, since: string) =>
      ({ id, title: id, created_at: '2026-11-01T00:00:00Z', review_since: since }) as Schemas['TaskSummary'];
    const reviews = { total: 7, isMore: false, data: [task('first', '2026-11-03'), task('second', '2026-11-04')] };
    const { total, items } = waitingConcern({ total: 0, isMore: false, data: [] }, reviews, 5);
    expect([total, items.map(({ at }) => at)]).toEqual([7, ['2026-11-03', '2026-11-04']]);
  });

  it('is a received webhook that was not applied, with the reason', () => {
    const event = { id: 'inb_1', event: 'taskX', state: 'quarantined', reason: 'unknown_event', detail: null };
    const { items, isMore } = inboundConcern([event as Schemas['InboundEvent']], true);
    expect(isMore).toBe(true);
    expect(items).toMatchObject([{ title: 'taskX', why: 'quarantined (unknown event), received' }]);
  });
});
