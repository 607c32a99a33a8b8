import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from './page-headers.ts';

describe('the headers of a page', () => {
  it('contain the number of items and the address of the next page, with the same filters and order', () => {
    const at = new Date('2027-01-02T03:04:05Z');
    const query = { name: 'a & b', sort: '-name', connected_at: at, steps: undefined };
    const { Link: link, ...rest } = pageHeaders('/v1/things', query, { limit: 20, offset: 20, total: 41 });
    expect(rest).toEqual({ 'X-Total-Count': '41' });
    const [, address = ''] = /^<(.*)>; rel="next"$/.exec(link ?? '') ?? [];
    const next = new URL(address, 'http://x');
    expect([next.pathname, Object.fromEntries(next.searchParams)]).toEqual([
      '/v1/things',
      { name: 'a & b', sort: '-name', connected_at: at.toISOString(), limit: '20', offset: '40' },
    ]);
  });

  it.each([
    [0, 20],
    [20, 40],
    [60, 40],
    [0, 0],
  ])('name no next page after the last one: offset %i of %i', (offset, total) => {
    expect(pageHeaders('/v1/things', {}, { limit: 20, offset, total })).toEqual({ 'X-Total-Count': String(total) });
  });
});
