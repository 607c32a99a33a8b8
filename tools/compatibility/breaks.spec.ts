import { describe, expect, it } from '@jest/globals';
import { type Break, describeBreaks, sortBreaks } from './breaks.ts';

const removed: Break = { kind: 'operation', location: 'GET /v1/tasks', what: 'it was removed' };
const renamed: Break = { kind: 'name', location: 'GET /v1/agents', what: 'operationId changed' };

describe('describeBreaks', () => {
  it('explains for each kind who is affected and what to do', () => {
    const text = describeBreaks([renamed, removed]);
    expect(text.split('\n\n')).toHaveLength(2);
    expect(text).toContain('- GET /v1/tasks: it was removed\n  Clients that call it get 404 or 405. Keep it');
  });
});

describe('sortBreaks', () => {
  it('removes accepted breaks, and finds unused acceptances', () => {
    const accepted = {
      'GET /v1/tasks: it was removed': 'it has no callers',
      'GET /v1/runs: it was removed': 'the same',
    };
    expect(sortBreaks([removed, renamed], accepted)).toEqual({
      refused: [renamed],
      stale: ['GET /v1/runs: it was removed'],
    });
  });
});
