import type { Page } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCursor, writeCursor } from './list-cursor.ts';
import type { ListSource } from './list-source.ts';

const grades = ['low', 'mid', 'high'];
const source: ListSource = {
  from: 'shelf',
  columns: '*',
  sortable: {
    id: { sql: 'id', type: 'text' },
    title: { sql: 'title', type: 'text', isNullable: true },
    number: { sql: 'number', type: 'int' },
    at: { sql: 'at', type: 'timestamptz' },
    grade: { sql: 'grade', type: 'text', order: grades },
  },
};
const text = fc.string({ unit: 'grapheme', maxLength: 500 }).filter((one) => !one.includes('\0'));
const moment = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
/** The values of rows in each field. */
const values: Record<string, fc.Arbitrary<unknown>> = {
  id: fc.constant(null),
  title: fc.option(text),
  number: fc.maxSafeInteger(),
  at: moment,
  grade: fc.constantFrom(...grades),
};
const page = (field: string, after = ''): Page => ({
  limit: 1,
  offset: 0,
  after,
  sort: { field, isDescending: false },
});
const field = fc.constantFrom(...Object.keys(values));
const refused = expect.objectContaining({ code: 'invalid_request' });

describe('a cursor', () => {
  it('is read as it was written, only for the same sort, and is short enough for a URL', () => {
    const rows = field.chain((name) =>
      fc.tuple(fc.constant(name), fc.string({ unit: 'grapheme-ascii', maxLength: 128 }), values[name] ?? text),
    );
    fc.assert(
      fc.property(rows, field, ([name, id, value], other) => {
        const after = writeCursor(page(name), { id, value });
        expect(after.length).toBeLessThanOrEqual(4_500);
        expect(after).toMatch(/^[\w.-]+$/);
        expect(readCursor(source, page(name, after))).toEqual({ id, value });
        if (other !== name) expect(() => readCursor(source, page(other, after))).toThrow(refused);
      }),
    );
    const longest = writeCursor(page('title'), { id: 'x'.repeat(128), value: '\u0001'.repeat(500) });
    expect(longest.length).toBeLessThanOrEqual(4_500);
  });

  it('that was made up is refused, or has a value that the field may have', () => {
    const parts = fc.tuple(field, fc.anything(), fc.oneof(fc.anything(), moment.map(String), text));
    const content = fc.oneof(
      parts.map((made) => JSON.stringify(made)),
      fc.json(),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(field, content, (name, made) => {
        const after = `v1.${Buffer.from(made).toString('base64url')}`;
        try {
          const { id, value } = readCursor(source, page(name, after)) ?? {};
          expect(id).toEqual(expect.any(String));
          expect(kindOf(value)).toEqual(expect.stringMatching(kinds[name] ?? ''));
        } catch (error) {
          expect(error).toEqual(refused);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is not read from a text that is an item id', () => {
    for (const id of ['', 'tsk_01ks0000000000000000000000', '0000000003'])
      expect(readCursor(source, page('title', id))).toBeUndefined();
  });
});

const kinds: Record<string, string> = { id: 'null', title: 'string|null', number: 'int', at: 'date', grade: 'string' };
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : 'date';
  return Number.isSafeInteger(value) ? 'int' : typeof value;
}
