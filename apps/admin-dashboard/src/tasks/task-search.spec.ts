import { expect, it } from '@jest/globals';
import { filtersOf, readTaskSearch } from './task-search.ts';

it('keeps the known parts of the address of the list and ignores the rest', () => {
  expect(
    readTaskSearch({ status: 'open', priority: 'high', tag: 7, sort: '-priority', view: 'board', new: true }),
  ).toEqual({ status: 'open', priority: 'high', tag: '7', sort: '-priority', view: 'board', new: true });
  expect(
    readTaskSearch({ status: 'gone', sort: 'secret', view: 'list', new: 'yes', tag: '', assigned_role: {}, x: 1 }),
  ).toEqual({});
});

it('gives the API filters and order alone', () => {
  expect(filtersOf({ view: 'board', new: true, saved: 'viw_1', status: 'open', sort: 'title' })).toEqual({
    status: 'open',
    sort: 'title',
  });
});
