import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Cost } from './events/event.ts';
import type { PromptUsage } from './messages.ts';

export type SaidUsage = {
  /** The agent's name, in place of the model, which it does not report. */
  agent: string;
  usage: PromptUsage | undefined;
  /** Of the session so far. */
  cost: Cost | undefined;
  /** The runner saw the calls of the prompt, and counted them. */
  isCounted: boolean;
};

/** What a session has cost so far, as far as it was reported. It is kept with the session, also over attempts. */
export type SessionCost = { costUsd(): number; setCostUsd(usd: number): Promise<void> };

/**
 * Reports the usage of a prompt that an agent states, unless the runner saw its calls. Stated costs are totals of the
 * session: each is counted once; a lower one is of a new process. Returns why no further call may begin, if so.
 */
export async function reportUsage(
  { keeper, session }: { keeper: Pick<LeaseKeeper, 'report'>; session: SessionCost },
  { agent, usage, cost, isCounted }: SaidUsage,
): Promise<string | undefined> {
  const usd = cost?.currency === 'USD' ? cost.amount : undefined;
  const before = session.costUsd();
  const added = usd === undefined || usd < before ? usd : usd - before;
  const body = isCounted ? undefined : bodyOf(agent, usage, added);
  const response = body && (await keeper.report('model-calls/usage', body));
  if (usd !== undefined) await session.setCostUsd(usd);
  return reported.safeParse(response).data?.exhausted ?? undefined;
}

/** Undefined: the agent has said nothing that counts. */
function bodyOf(agent: string, usage: PromptUsage | undefined, usd: number | undefined): object | undefined {
  const { inputTokens: input, outputTokens: output, cachedReadTokens: read, cachedWriteTokens: written } = usage ?? {};
  if (usd === undefined && input == null && output == null) return undefined;
  return {
    call_id: randomUUID(),
    model: `agent/${agent}`.slice(0, 200),
    source: 'agent',
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cache_read_tokens: read ?? 0,
    cache_write_tokens: written ?? 0,
    ...(usd === undefined ? {} : { cost_usd: Math.round(usd * 1e6) / 1e6 }),
  };
}

const reported = z.looseObject({ exhausted: z.string().nullish() });
