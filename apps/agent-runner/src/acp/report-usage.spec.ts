import { describe, expect, it } from '@jest/globals';
import type { CallResult } from '../lease/lease-keeper.ts';
import { createUsageReport } from './report-usage.ts';

function recorded() {
  const bodies: Record<string, unknown>[] = [];
  const call = async (_verb: string, body: object): Promise<CallResult> => {
    bodies.push(body as Record<string, unknown>);
    return { kind: 'done', body: {} };
  };
  return { report: createUsageReport({ call }), bodies };
}
const usage = { inputTokens: 10, outputTokens: 2, cachedReadTokens: 5, cachedWriteTokens: null };
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('what an agent says that it used', () => {
  it('is reported for each prompt, and costs of the session once', async () => {
    const { report, bodies } = recorded();
    await report.add({ agent: 'x', usage, cost: usd(0.1) });
    await report.add({ agent: 'x', usage, cost: usd(0.25) });
    report.forget();
    await report.add({ agent: 'x', usage: undefined, cost: usd(0.05) });
    const tokens = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 5, cache_write_tokens: 0 };
    expect(bodies[0]).toMatchObject({ source: 'agent', model: 'agent/x', ...tokens, cost_usd: 0.1 });
    expect(bodies.map(({ cost_usd }) => cost_usd)).toEqual([0.1, 0.15, 0.05]);
    expect(new Set(bodies.map(({ call_id }) => call_id)).size).toBe(3);
  });

  it('is nothing where it says nothing, or costs in another currency alone', async () => {
    const { report, bodies } = recorded();
    await report.add({ agent: 'x', usage: undefined, cost: undefined });
    await report.add({ agent: 'x', usage: {}, cost: { amount: 1, currency: 'EUR' } });
    expect(bodies).toEqual([]);
  });
});
