import { describe, expect, it } from '@jest/globals';
import { readUsageSearch } from './usage-search.ts';

describe('the address of the usage', () => {
  it.each([[{ month: '2026-11', sort: '-deliveries' }], [{ tenant: 'tnt_1' }], [{}]])(
    '%j is read as it is',
    (search) => {
      expect(readUsageSearch(search)).toEqual(search);
    },
  );

  it.each(['2026-13', '26-11', '2026-11-01', 'now', '0001-01'])('has no month %s', (month) => {
    expect(readUsageSearch({ month, sort: 'closed_at' })).toEqual({});
  });
});
