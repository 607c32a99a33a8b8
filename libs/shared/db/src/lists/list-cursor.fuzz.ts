import type { Page } from '@eas/contracts';
import { type FuzzTarget, unlessRefused } from '@eas/testing/fuzz';
import { readCursor, writeCursor } from './list-cursor.ts';
import type { ListSource } from './list-source.ts';

const source: ListSource = {
  from: 'things',
  columns: 'id',
  sortable: {
    title: { sql: 'title', type: 'text' },
    due_date: { sql: 'due_date', type: 'timestamptz', isNullable: true },
    rank: { sql: 'rank', type: 'int' },
  },
};
const pages = Object.keys(source.sortable).flatMap((field) =>
  [true, false].map((isDescending): Page => ({ limit: 20, offset: 0, after: '', sort: { field, isDescending } })),
);
const values = ['Title', '2026-11-20T10:00:00.000Z', 7];

export const fuzz: FuzzTarget = {
  name: 'cursors',
  corpus: pages.map((page, index) => writeCursor(page, { id: 'tsk_1', value: values[index >> 1] })),
  check(input) {
    for (const page of pages) {
      const after = input.toString('latin1');
      const cursor = unlessRefused(() => readCursor(source, { ...page, after }));
      if (!cursor) continue;
      // An accepted cursor is accepted again, as the same position.
      const again = readCursor(source, { ...page, after: writeCursor(page, cursor) });
      if (again?.id !== cursor.id || String(again.value) !== String(cursor.value)) throw new Error('another position');
    }
  },
};
