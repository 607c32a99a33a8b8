import { expect, it } from '@jest/globals';
import { readRunSearch } from './run-search.ts';

it('keeps the known parts of the address of the list and ignores the rest', () => {
  expect(readRunSearch({ status: 'failed', workflow_id: 'wfl_1', workflow_version: '2', sort: 'name' })).toEqual({
    status: 'failed',
    workflow_id: 'wfl_1',
    workflow_version: 2,
    sort: 'name',
  });
  expect(readRunSearch({ status: 'gone', workflow_id: {}, workflow_version: 'two', sort: 'secret', x: 1 })).toEqual({});
});
