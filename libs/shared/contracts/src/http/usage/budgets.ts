import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { usdInput } from './model-prices.ts';

const budgetScopes = ['tenant', 'project', 'role', 'agent', 'task'] as const;
const budgetUnits = ['usd', 'tokens', 'calls'] as const;
const budgetPeriods = ['day', 'month', 'task'] as const;
export type BudgetScope = (typeof budgetScopes)[number];
export type BudgetUnit = (typeof budgetUnits)[number];
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Most USD, and most tokens or calls. */
const [maxUsd, maxCount] = [1_000_000_000, 1_000_000_000_000_000];

const scope = z
  .enum(budgetScopes)
  .describe('Whose calls count: all of the tenant, those of a project, a role or an agent, or of each task by itself.');
const unit = z.enum(budgetUnits).describe('What is counted: USD, tokens of all kinds, or calls.');
const period = z
  .enum(budgetPeriods)
  .describe('For how long it counts: a day or a month (UTC, by the clock of the database), or a task from its start.');
const limit = usdInput(maxCount).describe(
  `The limit: USD with up to 6 digits after the decimal point, or a whole number of tokens or calls. At most ${maxUsd} USD.`,
);
const warnAt = z.int().min(1).max(100).describe('From that share of the limit on there is one `budget.warning`.');
const scopeId = z.string().min(1).max(64);

/** Finds what is wrong with a limit in its unit. */
export function limitProblem(unit: BudgetUnit, limit: number): string | undefined {
  if (unit === 'usd') return limit > maxUsd ? `must be at most ${maxUsd} USD` : undefined;
  return Number.isInteger(limit) ? undefined : 'must be a whole number of tokens or calls';
}

export const createBudgetBody = z
  .strictObject({
    scope,
    scope_id: scopeId
      .nullable()
      .default(null)
      .describe('Of which project, role or agent: its ID, or the name of the role. null for a tenant and for tasks.'),
    unit,
    period,
    limit,
    warn_at_percent: warnAt.default(80),
  })
  .refine(({ scope, scope_id: id }) => (id === null) === (scope === 'tenant' || scope === 'task'), {
    path: ['scope_id'],
    params: { constraint: 'required' },
    message: 'must name a project, role or agent, and must be null for the scopes tenant and task',
  })
  .refine(({ unit, limit }) => limitProblem(unit, limit) === undefined, {
    path: ['limit'],
    params: { constraint: 'format' },
    message: 'must be a whole number of tokens or calls, or at most 1000000000 USD',
  })
  .meta({
    id: 'CreateBudget',
    description: 'A new budget.',
    example: { scope: 'tenant', unit: 'usd', period: 'day', limit: 20 },
  });
export type CreateBudgetBody = z.output<typeof createBudgetBody>;

export const changeBudgetBody = z
  .strictObject({ limit: limit.optional(), warn_at_percent: warnAt.optional() })
  .meta({ id: 'ChangeBudget', description: 'A JSON merge patch of a budget.', example: { limit: 30 } });
export type ChangeBudgetBody = z.output<typeof changeBudgetBody>;

const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const count = z.int().min(0).max(2_147_483_647);

const current = z
  .object({
    starts_at: timestampOutput.describe('When the period began.'),
    ends_at: timestampOutput.describe('When the period ends.'),
    spent: amount.describe('What is used up, in the unit of the budget.'),
    reserved: amount.describe('What calls may use that have begun and not ended, as they were estimated.'),
    is_exhausted: z.boolean().describe('Whether calls are refused.'),
    unpriced_calls: count.describe('Number of calls to models without a price. They cost nothing here.'),
    estimated_calls: count.describe('Number of calls whose usage never came. They count as they were estimated.'),
  })
  .meta({ id: 'BudgetUse', description: 'How much of a budget is used up in a period.' });

const exampleUse = {
  starts_at: '2026-11-20T00:00:00Z',
  ends_at: '2026-11-21T00:00:00Z',
  spent: 4.2,
  reserved: 0,
  is_exhausted: false,
  unpriced_calls: 0,
  estimated_calls: 0,
};

export const budgetResource = z
  .object({
    id: idOf('ID of the budget.'),
    scope,
    scope_id: scopeId.nullable().describe('Of which project, role or agent. null for a tenant and for tasks.'),
    unit,
    period,
    limit: amount.describe('The limit, in the unit of the budget.'),
    warn_at_percent: warnAt,
    current: current
      .nullable()
      .describe('How much is used up in the current period. null for budgets that count each task by itself.'),
    version: z.int().min(1).max(2_147_483_647).describe('Grows with each change. It is the `ETag`.'),
    created_at: timestampOutput.describe('When the budget was created.'),
    updated_at: timestampOutput.describe('When the budget was last changed.'),
  })
  .meta({
    id: 'Budget',
    description: 'A limit of what agents may use models for.',
    example: {
      id: exampleId('bud'),
      scope: 'tenant',
      scope_id: null,
      unit: 'usd',
      period: 'day',
      limit: 20,
      warn_at_percent: 80,
      current: exampleUse,
      version: 1,
      created_at: exampleTime,
      updated_at: exampleTime,
    },
  });
export type BudgetResource = z.infer<typeof budgetResource>;

const filters = {
  id: z.string().max(64),
  scope: z.enum(budgetScopes),
  scope_id: z.string().max(64),
  unit: z.enum(budgetUnits),
  period: z.enum(budgetPeriods),
  warn_at_percent: wholeNumberInput(0, 2_147_483_647),
  version: wholeNumberInput(0, 2_147_483_647),
  created_at: timestampInput,
  updated_at: timestampInput,
};
export const budgetListFields = Object.keys(filters) as [keyof typeof filters];
export const budgetListQuery = listQuery({ sortable: budgetListFields, filters });
export type BudgetListQuery = z.output<typeof budgetListQuery>;
export const budgetList = listResponse(budgetResource);
