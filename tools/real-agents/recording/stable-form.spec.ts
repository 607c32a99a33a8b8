import { describe, expect, it } from '@jest/globals';
import { stableForm } from './stable-form.ts';

describe('the stable form of what an agent said', () => {
  it('has a number in place of each identifier, the same one each time', () => {
    const stable = stableForm([]);
    const [one, other] = ['27c6933e-2b13-4737-a535-83239ae11eda', '3172e466-1e5a-420e-861d-8fb5357420e7'];
    const [first, second] = [stable({ id: one }), stable({ id: other, before: one })];
    expect(first.id).not.toBe(one);
    expect(second).toEqual({ id: expect.not.stringContaining(first.id), before: first.id });
    expect(stable(['call_77_1', 'run_1795815848956_0', 'ses_0123456789abcdef'])).toEqual([
      'call_3',
      'run_1767225600004_0',
      'ses_5',
    ]);
  });

  it('has no folders, ports and times of the machine', () => {
    const stable = stableForm([['/tmp/real-x7', '/recorded']]);
    expect(
      stable({ cwd: '/tmp/real-x7/work', url: 'http://127.0.0.1:41234/v1', at: '2026-11-27T21:44:00.5Z' }),
    ).toEqual({
      cwd: '/recorded/work',
      url: 'http://127.0.0.1:80/v1',
      at: '2026-01-01T00:00:00.000Z',
    });
    expect(stable({ time: 1_795_815_848_956, tokens: 200 })).toEqual({ time: 1_767_225_600_001, tokens: 200 });
  });

  it('has long texts and lists cut', () => {
    expect(stableForm([])('x'.repeat(1_000))).toHaveLength(81);
    expect(stableForm([])(Array.from({ length: 40 }, () => null))).toHaveLength(6);
  });
});
