import { describe, expect, it } from '@jest/globals';
import { type ListPage, maxReadOn, readOn, readOnByOffset } from './read-on.ts';

describe('a list that is chosen from', () => {
  it('is read to its end, page by page', async () => {
    const pages: Record<string, ListPage<number>> = {
      '': { data: [1, 2], pagination: { next_cursor: 'a' } },
      a: { data: [], pagination: { next_cursor: 'b' } },
      b: { data: [3], pagination: { next_cursor: null } },
    };
    const read = (after: string) => Promise.resolve(pages[after] as ListPage<number>);
    expect(await readOn(read)).toEqual({ data: [1, 2, 3], isAll: true });
  });

  it('is read to its end when it has no cursor', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => at);
    const read = (offset: number, limit: number) => Promise.resolve({ data: rows.slice(offset, offset + limit) });
    expect(await readOnByOffset(read)).toEqual({ data: rows, isAll: true });
  });

  it('is read up to a limit, and reports that there is more', async () => {
    let count = 0;
    const read = () => Promise.resolve({ data: [(count += 1)], pagination: { next_cursor: 'more' } });
    const { data, isAll } = await readOn(read);
    expect(data).toHaveLength(maxReadOn);
    expect(isAll).toBe(false);
  });
});
