import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ListedTask, nextPage } from './next-page.ts';
import type { ReconcileCursor } from './reconcile.ts';

const pageSize = 3;

/** Reads all pages of a platform that lists what changed after a moment; `meanwhile` changes it between pages. */
function readAll(tasks: ListedTask[], order: 1 | -1, meanwhile: (tasks: ListedTask[]) => void = () => {}): Set<string> {
  const seen = new Set<string>();
  let cursor: ReconcileCursor = {};
  for (let pages = 0; pages < 100; pages += 1) {
    const { after = 0, page = 0 } = cursor;
    const listed = tasks.filter(({ at }) => at > after).sort((a, b) => order * (a.at - b.at));
    const shown = listed.slice(page * pageSize, (page + 1) * pageSize);
    for (const { id } of shown) seen.add(id);
    if ((page + 1) * pageSize >= listed.length) return seen;
    cursor = nextPage(cursor, 0, shown);
    meanwhile(tasks);
  }
  throw new Error('it does not end');
}

const tasksOf = (dates: readonly number[]) => dates.map((at, index) => ({ id: `t${index}`, at }));
const dates = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 30 });

describe('the pages of a reconciliation', () => {
  it.each([1, -1] as const)('have every task, in the order %i and however many share a date', (order) => {
    fc.assert(
      fc.property(dates, (all) => {
        expect(readAll(tasksOf(all), order).size).toBe(all.length);
      }),
    );
  });

  it('skip no task when others change meanwhile', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { maxLength: 30 }), (all) => {
        let now = 100;
        const tasks = tasksOf(all);
        const changed = readAll(tasks, 1, (list) => {
          const oldest = list.reduce<ListedTask | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
          if (oldest && now < 105) oldest.at = now++;
        });
        expect(changed.size).toBe(all.length);
      }),
    );
  });
});
