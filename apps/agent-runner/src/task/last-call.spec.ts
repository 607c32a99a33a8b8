import { describe, expect, it } from '@jest/globals';
import { failure, lastLines, lastCallOf } from './last-call.ts';

const done = { code: 0, signal: null };
const quiet = { output: [], errors: [] };

describe('a command that ends', () => {
  it('with 0 completes its task; its last lines are the summary unless it said one', () => {
    expect(lastCallOf(done, {}, { output: ['a', 'b'], errors: ['x'] })).toEqual({
      verb: 'complete',
      body: { summary: 'a\nb' },
    });
    const words = { summary: 'Done.', result: { sha: 'a1' }, scores: { code_quality: 90 } };
    expect(lastCallOf(done, words, { output: ['a'], errors: [] })).toEqual({ verb: 'complete', body: words });
    expect(lastCallOf(done, {}, quiet)).toEqual({ verb: 'complete', body: {} });
  });

  it('with 0 hands over or gives back if it said so', () => {
    const handoff = { to: { role: 'qa' }, summary: 'Look.' };
    expect(lastCallOf(done, { handoff }, quiet)).toEqual({ verb: 'handoff', body: handoff });
    expect(lastCallOf(done, { release: { reason: 'later' } }, quiet)).toMatchObject({ verb: 'release' });
  });

  it.each([
    [{ code: 3, signal: null }, 'exit code 3'],
    [{ code: null, signal: 'SIGSEGV' as const }, 'ended by SIGSEGV'],
  ])('with %j fails, and may be tried again', (ended, how) => {
    const { verb, body } = lastCallOf(ended, { result: { a: 1 } }, { output: ['out'], errors: ['broken'] });
    expect([verb, body]).toEqual(['fail', { reason: `The command failed: ${how}.\nbroken`, retryable: true }]);
    expect(lastCallOf(ended, {}, { output: ['out'], errors: [] }).body['reason']).toContain('out');
  });

  it('fails for good when it said why, whatever its code', () => {
    for (const code of [0, 1])
      expect(lastCallOf({ code, signal: null }, { fail: 'No such branch.' }, quiet)).toEqual({
        verb: 'fail',
        body: { reason: 'No such branch.', retryable: false },
      });
  });

  it('never says what the service would refuse for its characters or its length', () => {
    const { reason } = failure(`\0${'x'.repeat(5_000)}\ud800`, true).body as { reason: string };
    expect([reason.includes('\0'), reason.length <= 2_000]).toEqual([false, true]);
    expect(failure('\ud800', true).body['reason']).toBe('\ufffd');
  });
});

describe('the last lines', () => {
  it('are so many, without empty ones', () => {
    const last = lastLines(2);
    for (const line of ['a', ' ', 'b', '', 'c'.repeat(600)]) last.add(line);
    expect(last.lines()).toEqual(['b', 'c'.repeat(500)]);
  });
});
