import { describe, expect, it } from '@jest/globals';
import { reportUsage, type SaidUsage } from './report-usage.ts';

function recorded() {
  const bodies: Record<string, unknown>[] = [];
  const report = async (_verb: string, body: object) => {
    bodies.push(body as Record<string, unknown>);
    return { exhausted: bodies.length > 1 ? 'The budget is used up.' : null };
  };
  let kept = 0;
  const session = { costUsd: () => kept, setCostUsd: async (usd: number) => void (kept = usd) };
  const add = (said: Partial<SaidUsage>) =>
    reportUsage(
      { keeper: { report }, session },
      { agent: 'x', usage: undefined, cost: undefined, isCounted: false, ...said },
    );
  return { add, bodies };
}
const usage = { inputTokens: 10, outputTokens: 2, cachedReadTokens: 5, cachedWriteTokens: null };
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('usage reported by an agent', () => {
  it('is reported for each prompt, and costs of the session once', async () => {
    const { add, bodies } = recorded();
    expect(await add({ usage, cost: usd(0.1) })).toBeUndefined();
    expect(await add({ usage, cost: usd(0.25) })).toBe('The budget is used up.');
    await add({ cost: usd(0.05) });
    const tokens = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 5, cache_write_tokens: 0 };
    expect(bodies[0]).toMatchObject({ source: 'agent', model: 'agent/x', ...tokens, cost_usd: 0.1 });
    expect(bodies.map(({ cost_usd }) => cost_usd)).toEqual([0.1, 0.15, 0.05]);
    expect(new Set(bodies.map(({ call_id }) => call_id)).size).toBe(3);
  });

  it('is not reported for a prompt whose calls the runner has counted, whose costs do not count later either', async () => {
    const { add, bodies } = recorded();
    await add({ usage, cost: usd(0.1), isCounted: true });
    await add({ usage, cost: usd(0.25) });
    expect(bodies.map(({ cost_usd }) => cost_usd)).toEqual([0.15]);
  });

  it('is nothing where it says nothing, or costs in another currency alone', async () => {
    const { add, bodies } = recorded();
    await add({});
    await add({ usage: {}, cost: { amount: 1, currency: 'EUR' } });
    expect(bodies).toEqual([]);
  });
});
