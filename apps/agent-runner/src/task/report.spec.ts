import { describe, expect, it } from '@jest/globals';
import { lastCallOf } from './report.ts';

describe('the last call of an attempt', () => {
  it('completes with what the agent said, and without what it did not', () => {
    const words = { result: { sha: 'a1' }, scores: { code_quality: 90 } };
    expect(lastCallOf({ kind: 'complete', summary: 'a\nb' }, words)).toEqual({
      verb: 'complete',
      body: { summary: 'a\nb', ...words },
    });
    expect(lastCallOf({ kind: 'review', summary: '' }, {})).toEqual({ verb: 'complete', body: {} });
  });

  it('never says what the service would refuse for its characters or its length', () => {
    const fail = (reason: string) => lastCallOf({ kind: 'fail', reason, isRetryable: true }, {}).body;
    const { reason } = fail(`\0${'x'.repeat(5_000)}\ud800`) as { reason: string };
    expect([reason.includes('\0'), reason.length <= 2_000]).toEqual([false, true]);
    expect(fail('\ud800')['reason']).toBe('\ufffd');
  });
});
