import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../api/client.ts';
import { failedRunsConcern, inboundConcern, lastFailed, overdueConcern, webhookConcern } from './concerns.ts';

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
      webhookConcern([webhook(more)], { whk_1: dead }).items.map((item) => item.why);
    expect(why({})).toEqual([]);
    expect(why({ status: 'disabled', status_reason: 'requested' })).toEqual([]);
    expect(why({ status: 'disabled', status_reason: 'gone' })).toEqual(['disabled, nothing is sent (gone)']);
    expect(why({ status: 'failing', failing_since: '2026-11-20T10:00:00Z' })).toEqual(['deliveries fail, since']);
    expect(why({}, 2)).toEqual(['2 dead deliveries in 7 days']);
  });

  it('counts the dead deliveries of webhooks that failed lately, and of no more than 20', () => {
    const failedAt = (id: string, at: string | null) => webhook({ id, last_failure_at: at });
    const webhooks = [
      failedAt('never', null),
      failedAt('old', '2026-11-01T00:00:00Z'),
      ...Array.from({ length: 30 }, (_, at) => failedAt(`new-${at}`, `2026-11-20T00:00:${10 + at}Z`)),
    ];
    const found = lastFailed(webhooks, Date.parse('2026-11-21')).map(({ id }) => id);
    expect(found).toHaveLength(20);
    expect(found[0]).toBe('new-29');
  });

  it('is what is overdue in any status, the longest overdue first, with the number of all', () => {
    const task = (id: string, due: string) =>
      ({ id, title: id, status: 'in_progress', due_date: due }) as Schemas['TaskSummary'];
    const lists = [
      { total: 40, data: [task('late', '2026-11-02'), task('last', '2026-11-03')] },
      { total: 1, data: [task('first', '2026-11-01')] },
    ];
    const { total, items } = overdueConcern(lists, 2);
    expect(total).toBe(41);
    expect(items.map(({ id, why }) => [id, why])).toEqual([
      ['first', 'in progress, was due'],
      ['late', 'in progress, was due'],
    ]);
  });

  it('is a run that failed lately, and not one that failed long ago', () => {
    const run = (id: string, at: string) =>
      ({ workflow_run_id: id, name: id, started_at: at, finished_at: at }) as Schemas['RunSummary'];
    const runs = [run('new', '2026-11-20T00:00:00Z'), run('old', '2026-11-01T00:00:00Z')];
    expect(failedRunsConcern(runs, Date.parse('2026-11-21')).items.map(({ id }) => id)).toEqual(['new']);
  });

  it('is a received webhook that was not applied, with what was wrong with it', () => {
    const event = { id: 'inb_1', event: 'taskX', state: 'quarantined', reason: 'unknown_event', detail: null };
    const { items } = inboundConcern([event as Schemas['InboundEvent']], false);
    expect(items).toMatchObject([{ title: 'taskX', why: 'quarantined (unknown event), received' }]);
  });
});
