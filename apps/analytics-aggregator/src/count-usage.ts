import type { StoredEvent } from '@eas/contracts';
import type { Metrics } from '@eas/runtime';

const kinds = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** Counts calls to models, their tokens and cost. What corrects an estimate to less is left out: counters only grow. */
export function countUsage(metrics: Metrics): (events: readonly StoredEvent[]) => void {
  const calls = metrics.counter('eas_model_calls_total');
  const tokens = metrics.counter('eas_model_tokens_total');
  const cost = metrics.counter('eas_model_cost_usd_total');
  return (events) => {
    for (const { type, data } of events) {
      if (type !== 'usage.recorded') continue;
      calls.inc({}, data.calls);
      for (const kind of kinds) tokens.inc({ kind }, Math.max(0, data[`${kind}_tokens`]));
      cost.inc({}, Math.max(0, data.cost) / 1e6);
    }
  };
}
