import { expect, it } from '@jest/globals';
import type { Schemas } from '../api/client.ts';
import { detailOf } from './entry-text.ts';

const entryOf = (fields: object) =>
  ({
    id: 'tle_1',
    seq: 3,
    timestamp: '2026-11-20T10:00:00Z',
    actor: 'agt_1',
    ...fields,
  }) as Schemas['TaskTimelineEntry'];

it.each([
  [{ type: 'comment', content: 'Half way.' }, 'Half way.'],
  [{ type: 'status_change', from: 'open', to: 'failed', reason: 'timed out' }, 'open → failed (timed out)'],
  [
    {
      type: 'progress',
      percent_complete: 40,
      estimate_remaining: null,
      milestones: [
        { name: 'Tests', completed: true },
        { name: 'Docs', completed: false },
      ],
    },
    'percent complete: 40\nmilestones: ✓ Tests, ○ Docs',
  ],
  [{ type: 'assignment', assigned_agent: 'agt_2', reason: 'idle' }, 'assigned agent: Worker 2\nreason: idle'],
  [{ type: 'edit', changed: [], before: { priority: 'low', tags: ['a', 'b'] } }, 'before: priority low, tags a, b'],
])('the entry %j is shown as %j', (fields, text) => {
  expect(detailOf(entryOf(fields), (id) => (id === 'agt_2' ? 'Worker 2' : id))).toBe(text);
});
