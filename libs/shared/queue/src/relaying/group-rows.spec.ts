import { describe, expect, it } from '@jest/globals';
import { groupRows } from './group-rows.ts';

const row = (tenantId: string, eventId: string, consumer: 'task.plan' | 'facts.record') => ({
  tenantId,
  eventId,
  consumer,
});

describe('rows on their way into queues', () => {
  it('makes one job per consumer and tenant, ids in order', () => {
    const rows = [
      row('tnt_a', 'evt_2', 'task.plan'),
      row('tnt_b', 'evt_3', 'task.plan'),
      row('tnt_a', 'evt_1', 'task.plan'),
      row('tnt_a', 'evt_1', 'facts.record'),
    ];
    expect(groupRows(rows)).toEqual([
      { job: 'task.plan', payload: { tenant_id: 'tnt_a', event_ids: ['evt_1', 'evt_2'] } },
      { job: 'task.plan', payload: { tenant_id: 'tnt_b', event_ids: ['evt_3'] } },
      { job: 'facts.record', payload: { tenant_id: 'tnt_a', event_ids: ['evt_1'] } },
    ]);
  });

  it('puts at most 500 events into a job and loses none', () => {
    const rows = Array.from({ length: 1_201 }, (_, index) => row('tnt_a', `evt_${index}`, 'task.plan'));
    const jobs = groupRows(rows);
    const ids = jobs.flatMap(({ payload }) => payload.event_ids);
    expect(jobs.map(({ payload }) => payload.event_ids.length)).toEqual([500, 500, 201]);
    expect(new Set(ids).size).toBe(1_201);
  });

  it('marks jobs of rows that were sent before', () => {
    expect(groupRows([row('tnt_a', 'evt_1', 'task.plan')], { isAgain: true })).toEqual([
      { job: 'task.plan', payload: { tenant_id: 'tnt_a', event_ids: ['evt_1'], is_again: true } },
    ]);
  });

  it('returns no job without rows', () => {
    expect(groupRows([])).toEqual([]);
  });
});
