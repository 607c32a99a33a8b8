import { z } from 'zod';
import { exampleId } from '../fields.ts';
import { defineEvents, eventData, id, timestamp, word } from './event.ts';

const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const use = {
  budget_id: id('ID of the budget.'),
  scope: word('Whose calls count: tenant, project, role, agent, task or profile.'),
  scope_id: id('Of which project, role, agent or profile. null for the others.').nullable(),
  unit: word('usd, tokens or calls.'),
  period: word('day, month or task.'),
  limit: amount.describe('The limit, in the unit of the budget.'),
  spent: amount.describe('What is used up, in the unit of the budget.'),
  starts_at: timestamp('When the period began. null for a task.').nullable(),
  ends_at: timestamp('When the period ends. null for a task.').nullable(),
  task_id: id('ID of the task whose call it was.'),
};
const example = {
  budget_id: exampleId('bud'),
  scope: 'tenant',
  scope_id: null,
  unit: 'usd',
  period: 'day',
  limit: 20,
  spent: 16.2,
  starts_at: '2026-11-20T00:00:00Z',
  ends_at: '2026-11-21T00:00:00Z',
  task_id: exampleId('tsk'),
};
const tokens = z.int();

/** Each is sent once per budget and period, and again after the limit was raised. */
export const budgetEvents = defineEvents({
  'budget.warning': {
    visibility: 'public',
    data: eventData('The share of a budget is used up from which it warns.', use, example),
    facts: null,
  },
  'budget.exhausted': {
    visibility: 'public',
    data: eventData('A budget is used up. Calls to models that it concerns are refused.', use, {
      ...example,
      spent: 20.04,
    }),
    facts: null,
  },
  /** The usage of a call to a model, for analytics; for a corrected estimate the difference. */
  'usage.recorded': {
    visibility: 'internal',
    data: z.object({
      task_id: z.string(),
      /** Which attempt at the task it is of. Older events lack it. */
      lease_id: z.string().optional(),
      run_id: z.string().nullable(),
      agent_id: z.string(),
      role: z.string(),
      project_id: z.string().nullable(),
      model: z.string(),
      calls: z.int(),
      unpriced_calls: z.int(),
      estimated_calls: z.int(),
      input_tokens: tokens,
      output_tokens: tokens,
      cache_read_tokens: tokens,
      cache_write_tokens: tokens,
      /** In micro-USD. */
      cost: z.int(),
    }),
    facts: null,
  },
});
