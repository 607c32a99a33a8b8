import { describe, expect, it } from '@jest/globals';
import { chainOf, type CursorPage, placeOf, shownLinks } from './cursor-chain.ts';

const lettersOf = (text: string) => text.split(' ');
const pageOf = (data: readonly string[], next: string | null): CursorPage<string> => ({
  data,
  pagination: { next_cursor: next, total_count: 6 },
});
const first = new Map([
  ['', pageOf(['f', 'e'], 'e')],
  ['e', pageOf(['d', 'c'], 'c')],
  ['c', pageOf(['b', 'a'], null)],
]);
const chain = chainOf(2, (cursor) => first.get(cursor), []);
/** A row was added: the first page ends earlier, and the cursors after it are other ones. */
const later = new Map([...first, ['', pageOf(['g', 'f'], 'f')]]);

describe('a list of pages that follow each other', () => {
  it('has the rows of the pages that were reached', () => {
    expect(chain).toMatchObject({ rows: lettersOf('f e d c b a'), total: 6, hasMore: false });
    expect(chainOf(1, (cursor) => first.get(cursor), [])).toMatchObject({ rows: lettersOf('f e d c'), hasMore: true });
  });

  it('keeps its length when the first page is read again and ends elsewhere', () => {
    const { rows, hasMore, links } = chainOf(2, (cursor) => later.get(cursor), chain.links);
    expect(rows).toEqual(lettersOf('g f d c b a'));
    expect(hasMore).toBe(false);
    expect(links.map(({ cursor, isRead }) => [cursor, isRead])).toEqual([
      ['', true],
      ['f', false],
      ['c', true],
    ]);
  });

  it('continues with the page at the new cursor once that is read', () => {
    const pages = new Map([...later, ['f', pageOf(['e', 'd'], 'd')]]);
    const { rows, links } = chainOf(2, (cursor) => pages.get(cursor), chain.links);
    expect(rows).toEqual(lettersOf('g f e d b a'));
    expect(links[2]).toMatchObject({ cursor: 'd', isRead: false });
  });

  it('reads the last page wherever the visible rows are, also one that has no rows yet', () => {
    const cut = chainOf(2, (cursor) => later.get(cursor), []);
    expect(cut).toMatchObject({ rows: ['g', 'f'], hasMore: true });
    expect(shownLinks(cut.links, 0, 0).map(({ cursor }) => cursor)).toEqual(['', 'f']);
    expect(shownLinks(chain.links, 0, 0).map(({ cursor }) => cursor)).toEqual(['', 'c']);
  });

  it('becomes shorter when the first page says that it is the last one', () => {
    const only = new Map([['', pageOf(['g'], null)]]);
    expect(chainOf(2, (cursor) => only.get(cursor), chain.links)).toMatchObject({ rows: ['g'], hasMore: false });
  });

  it('finds the page of each row', () => {
    expect([0, 1, 2, 5, 9].map((row) => placeOf(chain.links, row))).toEqual([0, 0, 1, 2, 0]);
  });
});
