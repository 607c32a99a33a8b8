// Sections 2, 4 and 8: what all lists with pages have in common.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Json, ok, refused } from './call.ts';
import { arrayOf, assertForm, boolean, integer, object, text } from './forms.ts';

const idsOf = ({ data }: Json): string[] => data.map(({ id }: Json) => id);

/** `path`: the list with a filter that 21 items match. */
export function testPages(list: string, path: () => string): void {
  const page = (query: string): Promise<Json> => ok(`${path()}&${query}`);

  describe(`4 offset style of ${list}`, () => {
    it(`data is an array of items in ${list}`, async () => assertForm((await ok(path())).data, arrayOf(object)));
    for (const name of ['total', 'limit', 'offset'])
      it(`metadata.${name} is an integer in ${list}`, async () =>
        assertForm((await ok(path())).metadata[name], integer));
    it(`limit is 20 by default in ${list}`, async () => {
      const { data, metadata } = await ok(path());
      assert.deepEqual([data.length, metadata.limit, metadata.total], [20, 20, 21]);
    });
    it(`limit sets the number of items in ${list}`, async () => {
      const { data, metadata } = await page('limit=2');
      assert.deepEqual([data.length, metadata.limit], [2, 2]);
    });
    it(`limit can be 100 in ${list}`, async () => {
      const { data, metadata } = await page('limit=100');
      assert.deepEqual([data.length, metadata.limit], [21, 100]);
    });
    it(`limit cannot be 101 in ${list}`, async () => {
      const { code } = await refused(400, `${path()}&limit=101`);
      assert.equal(code, 'invalid_request');
    });
    it(`offset is 0 by default in ${list}`, async () => {
      const { data, metadata } = await ok(path());
      assert.equal(metadata.offset, 0);
      assert.deepEqual(idsOf({ data }), idsOf(await page('offset=0')));
    });
    it(`offset skips items in ${list}`, async () => {
      const all = idsOf(await page('limit=100'));
      const rest = await page('offset=19&limit=100');
      assert.deepEqual([idsOf(rest), rest.metadata.offset], [all.slice(19), 19]);
    });
  });

  describe(`4 cursor style of ${list}`, () => {
    const first = (): Promise<Json> => page('limit=8&after=');
    it(`pagination.total_count is an integer: all items in ${list}`, async () => {
      assert.equal((await first()).pagination.total_count, 21);
    });
    it(`pagination.limit is an integer: that of the request in ${list}`, async () => {
      assert.equal((await first()).pagination.limit, 8);
    });
    it(`pagination.has_more is a boolean in ${list}`, async () => {
      const { pagination } = await first();
      assertForm(pagination.has_more, boolean);
      assert.equal(pagination.has_more, true);
    });
    it(`pagination.next_cursor is a string in ${list}`, async () =>
      assertForm((await first()).pagination.next_cursor, text));
    it(`after takes the id of an item in ${list}`, async () => {
      const all = idsOf(await page('limit=100'));
      const next = await page(`limit=8&after=${all[3]}`);
      assert.deepEqual(idsOf(next), all.slice(4, 12));
    });
    it(`after takes next_cursor, page by page, until has_more is false in ${list}`, async () => {
      const ids: string[] = [];
      for (let after: string | undefined = ''; after !== undefined;) {
        const next: Json = await page(`limit=8&after=${encodeURIComponent(after)}`);
        ids.push(...idsOf(next));
        after = next.pagination.has_more ? next.pagination.next_cursor : undefined;
      }
      assert.deepEqual(ids, idsOf(await page('limit=100')));
    });
  });
}

/** A list whose items have at least two values of `field`. */
export function testSort(path: string, field: string, filter = ''): void {
  const valuesBy = async (sort: string): Promise<string[]> => {
    const { data } = await ok(`${path}?sort=${sort}${filter}`);
    const values: string[] = data.map((item: Json) => item[field]);
    assert.ok(new Set(values).size > 1, `${JSON.stringify(values)} show no order`);
    return values;
  };
  it(`${path}?sort=${field} is ascending`, async () => {
    const values = await valuesBy(field);
    assert.deepEqual(values, values.toSorted());
  });
  it(`${path}?sort=-${field} is descending`, async () => {
    const values = await valuesBy(`-${field}`);
    assert.deepEqual(values, values.toSorted().reverse());
  });
}

/** Gives the items that a list shows for these values of its query: fewer than without, and each of them has the values. */
export async function listFiltered(path: string, values: Readonly<Record<string, string>>): Promise<string[]> {
  const { data, metadata } = await ok(`${path}?${new URLSearchParams(values)}`);
  const everything = await ok(path);
  assert.ok(metadata.total > 0 && metadata.total < everything.metadata.total, 'same total as unfiltered, or 0');
  for (const item of data) for (const [field, value] of Object.entries(values)) assert.equal(item[field], value, field);
  return idsOf({ data });
}
