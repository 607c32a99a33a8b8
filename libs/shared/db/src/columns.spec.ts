import { describe, expect, it } from '@jest/globals';
import { column, type RowOf, sqlOf } from './columns.ts';

const columns = {
  id: column<string>('id', 'text'),
  dueDate: column<Date | null>('due_date', 'timestamptz'),
  tags: column<string[]>('tags', 'text[]'),
  result: column<unknown>('result', 'jsonb'),
};
const sql = sqlOf(columns);
const row: RowOf<typeof columns> = { id: 'a', dueDate: null, tags: ['x'], result: ['y'] };

describe('a table of columns', () => {
  it('prints what a row is selected by', () => {
    expect(sql.select('t')).toBe('t.id AS "id", t.due_date AS "dueDate", t.tags AS "tags", t.result AS "result"');
  });

  it('prints an insert from a record', () => {
    expect(sql.record(['dueDate', 'tags'])).toBe('"dueDate" timestamptz, "tags" text[]');
    expect(sql.names(['dueDate', 'tags'])).toBe('due_date, tags');
    expect(sql.values(['dueDate', 'tags'], 's')).toBe('s."dueDate", s."tags"');
  });

  it('prints updates from a record and with parameters', () => {
    expect(sql.assign(['dueDate'], 's')).toBe('due_date = s."dueDate"');
    expect(sql.assignParameters(['dueDate', 'result'], 3)).toBe('due_date = $3, result = $4');
  });

  it('passes JSON as text, lists unchanged, and null as null', () => {
    expect(sql.parameters(['tags', 'result', 'dueDate'], row)).toEqual([['x'], '["y"]', null]);
    expect(sql.parameters(['result'], { ...row, result: null })).toEqual([null]);
    expect(sql.parameters(['result'], { ...row, result: 'text' })).toEqual(['"text"']);
  });
});
