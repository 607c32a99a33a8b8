import { describe, expect, it } from '@jest/globals';
import { tooManyChanges } from './receipt-limits.ts';

const event = (items: object[], data: object = {}) =>
  ({ event: 'taskUpdated', task_id: 'x', history_items: items, data }) as never;
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item);

describe('what one receipt may change', () => {
  it('is 500 history items', () => {
    expect(tooManyChanges(event(times(500, {})))).toBeUndefined();
    expect(tooManyChanges(event(times(501, {})))).toBe('too_large: 501 history items, limit 500');
  });

  it('is 200 tags that come or go, wherever they stand', () => {
    const item = { field: 'tags', added: times(60, 'a'), removed: times(40, 'b') };
    expect(tooManyChanges(event([item, item]))).toBeUndefined();
    expect(tooManyChanges(event([item, item, { field: 'tag', after: [{ name: 'c' }] }]))).toContain('201 tag changes');
    expect(tooManyChanges(event([item, item], { tags: ['c'] }))).toContain('too_large');
    expect(tooManyChanges(event([{ field: 'custom', after: times(300, 'a') }]))).toBeUndefined();
  });
});
