import { describe, expect, it } from '@jest/globals';
import type { StoredEvent, TaskFacts } from '@eas/contracts';
import fc from 'fast-check';
import { newestFacts } from './newest-facts.ts';

const at = '2026-11-21T06:00:00Z';
const facts = (version: number): TaskFacts => ({
  version,
  role: 'rd',
  status: 'open',
  created_at: at,
  due_date: null,
  first_claimed_at: null,
  completed_at: null,
  code_quality: null,
  requirements_clarity: null,
});

function updated(taskId: string, version: number): StoredEvent {
  const data = { task_id: taskId, title: 'Fix it', from: 'created', to: 'open', changed: [] };
  const eventId = `evt_${taskId}_${version}`;
  return { eventId, type: 'task.updated', occurredAt: new Date(at), data, facts: facts(version), dataText: '{}' };
}

describe('newestFacts', () => {
  it('keeps the highest version of each task, whatever the order and however often reported', () => {
    const reported = fc.array(fc.tuple(fc.constantFrom('tsk_a', 'tsk_b', 'tsk_c'), fc.integer({ min: 1, max: 9 })));
    fc.assert(
      fc.property(reported, (pairs) => {
        const expected = new Map<string, number>();
        for (const [taskId, version] of pairs) {
          expected.set(taskId, Math.max(version, expected.get(taskId) ?? 0));
        }
        const result = newestFacts(pairs.map(([taskId, version]) => updated(taskId, version)));
        expect(new Map(result.map((row) => [row.task_id, row.version]))).toEqual(expected);
        expect(result.map((row) => row.task_id)).toEqual([...expected.keys()].sort());
      }),
    );
  });

  it('skips events without facts', () => {
    const data = { task_id: 'tsk_a', title: 'Fix it', content: 'Hm', author: 'key_1' };
    const event = { eventId: 'evt_1', occurredAt: new Date(at), data, facts: null, dataText: '{}' };
    expect(newestFacts([{ ...event, type: 'task.commented' }])).toEqual([]);
  });
});
