import { describe, expect, it } from '@jest/globals';
import { asProblem, isWorthRetrying, offlineProblem, Problem, problemOf, retryDelayMs } from './problem.ts';

const envelope = {
  error: {
    code: 'invalid_input',
    message: 'title is required.',
    request_id: 'req_1',
    details: { field: 'title', constraint: 'required' },
    errors: [
      { field: 'title', constraint: 'required', message: 'title is required.' },
      { field: 'due_date', constraint: 'format' },
    ],
  },
};

describe('problemOf', () => {
  it('gives what happened, the id of the request and a sentence for each field', () => {
    expect(problemOf(400, new Headers(), envelope)).toMatchObject({
      kind: 'invalid',
      message: 'title is required.',
      requestId: 'req_1',
      fields: { title: 'title is required.', due_date: 'title is required.' },
    });
  });

  it.each([
    [401, 'signed_out'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [412, 'conflict'],
    [422, 'invalid'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('takes status %i for %s', (status, kind) => {
    expect(problemOf(status, new Headers(), undefined).kind).toBe(kind);
  });

  it.each([undefined, null, '', '<html>', {}, { error: null }, { error: 'no' }, []])(
    'names the status when a proxy responded with %j',
    (body) => {
      const problem = problemOf(502, new Headers({ 'x-request-id': 'req_2' }), body);
      expect(problem).toMatchObject({
        message: 'The service responded with status 502.',
        requestId: 'req_2',
        fields: {},
      });
    },
  );

  it('reads Retry-After as seconds or as a date', () => {
    const after = (text: string) => problemOf(429, new Headers({ 'retry-after': text }), undefined).retryAfterMs;
    expect(after('3')).toBe(3_000);
    expect(after(new Date(Date.now() - 5_000).toUTCString())).toBe(0);
    expect(after('soon')).toBeUndefined();
  });
});

describe('a read that failed', () => {
  it('is retried a few times if the reason is temporary, not before Retry-After', () => {
    const limited = problemOf(429, new Headers({ 'retry-after': '7' }), undefined);
    expect([limited, offlineProblem()].every((problem) => isWorthRetrying(0, problem))).toBe(true);
    expect(isWorthRetrying(2, limited)).toBe(false);
    expect(isWorthRetrying(0, problemOf(404, new Headers(), undefined))).toBe(false);
    expect(retryDelayMs(0, limited)).toBe(7_000);
    expect([0, 1, 2, 3, 9].map((count) => retryDelayMs(count, offlineProblem()))).toEqual([
      1_000, 2_000, 4_000, 8_000, 8_000,
    ]);
  });

  it('is a problem, whatever was thrown', () => {
    expect(asProblem('text')).toBeInstanceOf(Problem);
    expect(asProblem(new TypeError('x is undefined')).message).toBe('x is undefined');
  });
});
