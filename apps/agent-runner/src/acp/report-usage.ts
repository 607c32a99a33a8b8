import { randomUUID } from 'node:crypto';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Cost } from './events/event.ts';
import type { PromptUsage } from './messages.ts';

export type SaidUsage = {
  /** Name of the agent: it stands in for the model, which it does not say. */
  agent: string;
  usage: PromptUsage | undefined;
  /** Of the session so far. */
  cost: Cost | undefined;
};

/**
 * Reports what an agent says that its prompts used, where the runner does not see its calls: it has its own login. Costs
 * that it says are of the session: each is counted once.
 */
export function createUsageReport(keeper: Pick<LeaseKeeper, 'call'>) {
  let reportedUsd = 0;
  return {
    /** The agent begins a session of its own. */
    forget: (): void => void (reportedUsd = 0),
    async add({ agent, usage, cost }: SaidUsage): Promise<void> {
      const usd = cost?.currency === 'USD' ? cost.amount : undefined;
      const added = usd === undefined ? undefined : Math.max(0, usd - reportedUsd);
      reportedUsd = usd ?? reportedUsd;
      const {
        inputTokens: input,
        outputTokens: output,
        cachedReadTokens: read,
        cachedWriteTokens: written,
      } = usage ?? {};
      if (added === undefined && input == null && output == null) return;
      await keeper.call('model-calls/usage', {
        call_id: randomUUID(),
        model: `agent/${agent}`.slice(0, 200),
        source: 'agent',
        input_tokens: input ?? 0,
        output_tokens: output ?? 0,
        cache_read_tokens: read ?? 0,
        cache_write_tokens: written ?? 0,
        ...(added === undefined ? {} : { cost_usd: Math.round(added * 1e6) / 1e6 }),
      });
    },
  };
}
