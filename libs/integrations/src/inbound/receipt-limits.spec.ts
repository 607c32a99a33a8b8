import { describe, expect, it } from '@jest/globals';
import { tooManyChanges, tooManyValues } from './receipt-limits.ts';

const event = (items: object[], data: object = {}) =>
  ({ event: 'taskUpdated', task_id: 'x', history_items: items, data }) as never;
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item);

describe('what one receipt may change', () => {
  it('is 500 history items', () => {
    expect(tooManyChanges(event(times(500, {})))).toBeUndefined();
    expect(tooManyChanges(event(times(501, {})))).toBe('too_large: 501 history items, at most 500 are applied');
  });

  it('is 200 tags that come or go, wherever they stand', () => {
    const item = { field: 'tags', added: times(60, 'a'), removed: times(40, 'b') };
    expect(tooManyChanges(event([item, item]))).toBeUndefined();
    expect(tooManyChanges(event([item, item, { field: 'tag', after: [{ name: 'c' }] }]))).toContain('201 tag changes');
    expect(tooManyChanges(event([item, item], { tags: ['c'] }))).toContain('too_large');
    expect(tooManyChanges(event([{ field: 'custom', after: times(300, 'a') }]))).toBeUndefined();
  });
});

describe('what a body may hold', () => {
  const text = (count: number) => JSON.stringify({ data: times(count, {}) });

  it('is 50,000 values, whatever its texts contain', async () => {
    expect(await tooManyValues(text(24_000))).toBeUndefined();
    expect(await tooManyValues(text(26_000))).toBe('too_large: more than 50,000 values');
    expect(await tooManyValues(JSON.stringify({ data: ',[{'.repeat(500_000) }))).toBeUndefined();
    for (const end of ['"', '\\', '\\"', '\\\\', '\\\\"'])
      expect(await tooManyValues(JSON.stringify({ data: `${'x'.repeat(200_000)}${end}`, more: end }))).toBeUndefined();
    const escaped = JSON.stringify({ data: '\\"'.repeat(100_000), more: times(60_000, 0) });
    expect(await tooManyValues(escaped)).toContain('too_large');
  });
});
