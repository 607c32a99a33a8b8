import type { StoredEvent } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import { countUsage } from './count-usage.ts';

type Count = [name: string, labels: object, by: number];

const data = {
  task_id: 't',
  run_id: null,
  agent_id: 'a',
  role: 'rd',
  project_id: null,
  model: 'm',
  calls: 1,
  unpriced_calls: 0,
  estimated_calls: 0,
  input_tokens: 100,
  output_tokens: 10,
  cache_read_tokens: 5,
  cache_write_tokens: 0,
  cost: 450_000,
};
const event = (more: object): StoredEvent =>
  ({ type: 'usage.recorded', data: { ...data, ...more }, facts: null }) as StoredEvent;

describe('metrics of calls to models', () => {
  it('grow by what was used, and never shrink', () => {
    const counts: Count[] = [];
    const counter = (name: string) => ({ inc: (labels: object, by: number) => void counts.push([name, labels, by]) });
    const count = countUsage({ counter } as never);
    const corrected = { calls: 0, input_tokens: -90, output_tokens: 0, cache_read_tokens: 0, cost: -1 };
    count([event({}), event(corrected)]);
    const sum = (name: string) => counts.filter(([one]) => one === name).reduce((total, [, , by]) => total + by, 0);
    const names = ['eas_model_calls_total', 'eas_model_tokens_total', 'eas_model_cost_usd_total'];
    expect(names.map(sum)).toEqual([1, 115, 0.45]);
    expect(counts.every(([, , by]) => by >= 0)).toBe(true);
  });
});
