import { z } from 'zod';
import { exampleId, exampleTime, idOf, timestampInput, timestampOutput, wholeNumberInput } from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import {
  amount,
  budgetPeriods,
  budgetTerms,
  budgetTermsInput,
  budgetUnits,
  isLimitOfUnit,
  warnAt,
} from './budget-terms.ts';

const ownScopes = ['tenant', 'project', 'role', 'agent', 'task'] as const;
const budgetScopes = [...ownScopes, 'profile'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

const ownScope = z
  .enum(ownScopes)
  .describe('Whose calls count: all of the tenant, those of a project, a role or an agent, or of each task by itself.');
const scope = z
  .enum(budgetScopes)
  .describe(
    'Whose calls count: all of the tenant, those of a project, a role or an agent, of each task by itself, or of all agents with a profile, which has the budget among its settings.',
  );
const scopeId = z.string().min(1).max(64);

export const createBudgetBody = z
  .strictObject({
    scope: ownScope,
    scope_id: scopeId
      .nullable()
      .default(null)
      .describe('Of which project, role or agent: its ID, or the name of the role. null for a tenant and for tasks.'),
    ...budgetTermsInput,
  })
  .refine(({ scope, scope_id: id }) => (id === null) === (scope === 'tenant' || scope === 'task'), {
    path: ['scope_id'],
    params: { constraint: 'required' },
    message: 'must name a project, role or agent, and must be null for the scopes tenant and task',
  })
  .refine(...isLimitOfUnit)
  .meta({
    id: 'CreateBudget',
    description: 'A new budget.',
    example: { scope: 'tenant', unit: 'usd', period: 'day', limit: 20 },
  });
export type CreateBudgetBody = z.output<typeof createBudgetBody>;

export const changeBudgetBody = z
  .strictObject({ limit: budgetTermsInput.limit.optional(), warn_at_percent: warnAt.optional() })
  .meta({ id: 'ChangeBudget', description: 'A JSON merge patch of a budget.', example: { limit: 30 } });
export type ChangeBudgetBody = z.output<typeof changeBudgetBody>;

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
    scope_id: scopeId.nullable().describe('Of which project, role, agent or profile. null for a tenant and for tasks.'),
    ...budgetTerms,
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
