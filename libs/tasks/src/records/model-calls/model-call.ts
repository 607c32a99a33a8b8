import type { EventData } from '@eas/contracts';
import { type TokenCounts, tokensIn } from './model-price.ts';

/** What a call counts for in a period of a budget. */
type Reservation = { id: string; key: string; amount: number };

export type ModelCall = {
  leaseId: string;
  callId: string;
  at: Date;
  taskId: string;
  agentId: string;
  role: string;
  projectId: string | null;
  runId: string | null;
  model: string;
  source: 'proxy' | 'agent';
  /** open: it has begun. estimated: its usage did not come in time, and it counts as it was estimated. */
  state: 'open' | 'estimated' | 'closed';
  /** Of a call that is not closed: what it may use at most. */
  tokens: TokenCounts;
  /** In micro-USD. null: its model has no price. */
  cost: number | null;
  reservations: readonly Reservation[];
};

type Usage = EventData<'usage.recorded'>;

/** What analytics adds for a call: of one that was estimated before, the difference. */
export function usageOf(call: ModelCall, before?: ModelCall): Usage {
  const { taskId, leaseId, runId, agentId, role, projectId, model } = call;
  const sums = sumsOf(call);
  const known = before?.state === 'estimated' ? sumsOf(before) : undefined;
  const added = (name: keyof typeof sums) => sums[name] - (known?.[name] ?? 0);
  return {
    task_id: taskId,
    lease_id: leaseId,
    run_id: runId,
    agent_id: agentId,
    role,
    project_id: projectId,
    model,
    calls: added('calls'),
    unpriced_calls: added('unpriced'),
    estimated_calls: added('estimated'),
    input_tokens: added('input'),
    output_tokens: added('output'),
    cache_read_tokens: added('cacheRead'),
    cache_write_tokens: added('cacheWrite'),
    cost: added('cost'),
  };
}

function sumsOf({ tokens, cost, state }: ModelCall) {
  const flags = { calls: 1, unpriced: Number(cost === null), estimated: Number(state === 'estimated') };
  return { ...flags, ...tokens, cost: cost ?? 0 };
}

export const useOf = ({ tokens, cost }: Pick<ModelCall, 'tokens' | 'cost'>) => ({ tokens: tokensIn(tokens), cost });
