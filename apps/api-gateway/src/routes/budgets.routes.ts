import {
  budgetList,
  budgetListQuery,
  budgetResource,
  changeBudgetBody,
  changeModelPricesBody,
  createBudgetBody,
  idOutput,
  listBody,
  modelPrices,
  pageOf,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { getBudget, getModelPrices, listBudgets } from '@eas/tasks';
import { z } from 'zod';
import { changeBudget, changeModelPrices, createBudget, removeBudget } from '../operations/change-budgets.ts';

const tags = ['Budgets'] as const;
const params = z.object({ budget_id: idOutput });
const fixed = ['scope', 'scope_id', 'unit', 'period'] as const;
const readOnly = ['id', 'current', 'version', 'created_at', 'updated_at'] as const;
const shown = { 200: { description: 'The budget.', schema: budgetResource } };
const shownPrices = { 200: { description: 'The price table.', schema: modelPrices } };

const readRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/budgets',
    operationId: 'listBudgets',
    summary: 'List budgets',
    description: ['Returns a page of budgets with what is used up of each in its current period.'],
    tags,
    access: { scope: 'analytics:read' },
    query: budgetListQuery,
    responses: { 200: { description: 'A page of budgets, newest first by default.', schema: budgetList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listBudgets(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/budgets/{budget_id}',
    operationId: 'getBudget',
    summary: 'Get a budget',
    description: [
      'Returns a budget with what is used up and reserved in its current period, and when that begins and ends.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    tags,
    access: { scope: 'analytics:read' },
    params,
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { budget_id: budgetId } }) => ({ status: 200, ...(await getBudget(ctx, budgetId)) }),
  }),
];

const writeRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/budgets',
    operationId: 'createBudget',
    summary: 'Create a budget',
    description: [
      'Limits what agents use models for: in USD, tokens or calls, in a day, a month or for a task, of the whole tenant, a project, a role, an agent, or of each task by itself.',
      'Before each call to a model the runner asks all budgets that concern it (`startModelCall`). When one is used up, the call is refused and the agent shows why. A budget is exceeded by one call at most.',
      'Calls count from now on. Sends the events `budget.warning` and `budget.exhausted`, once for each period. Each change is in the audit log.',
    ],
    tags,
    access: { scope: 'admin' },
    body: createBudgetBody,
    readOnly,
    responses: {
      201: {
        description: 'The created budget.',
        schema: budgetResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body: input }) => {
      const { body, version } = await createBudget(ctx, input);
      return { status: 201, body, version, headers: { Location: `/v1/budgets/${body.id}` } };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/budgets/{budget_id}',
    operationId: 'changeBudget',
    summary: 'Change a budget',
    description: [
      'Changes the limit of a budget, or from which share of it on it warns. Calls that begin from now on are held to it, also in the current period.',
      'Whose calls count, the unit and the period stay: create another budget for these.',
    ],
    tags,
    access: { scope: 'admin' },
    params,
    body: changeBudgetBody,
    readOnly: [...readOnly, ...fixed],
    isVersioned: true,
    responses: shown,
    errors: ['invalid_input', 'not_found'],
    handler: async (ctx, { params: { budget_id: budgetId }, body: patch, ifMatch }) => {
      const { body, version } = await changeBudget(ctx, { budgetId, ifMatch, body: patch });
      return { status: 200, body, version };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/budgets/{budget_id}',
    operationId: 'deleteBudget',
    summary: 'Delete a budget',
    description: ['Deletes a budget. It limits nothing any more. What agents have used stays in analytics.'],
    tags,
    access: { scope: 'admin' },
    params,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { budget_id: budgetId } }) => {
      await removeBudget(ctx, budgetId);
      return { status: 204 };
    },
  }),
];

const priceRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/model-prices',
    operationId: 'getModelPrices',
    summary: 'Get model prices',
    description: [
      'Returns the price table: what a million tokens of each model cost, in USD. It is empty until someone enters prices. Calls to models without a price are counted in tokens and calls alone.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    tags,
    access: { scope: 'analytics:read' },
    isVersioned: true,
    responses: shownPrices,
    errors: [],
    handler: async (ctx) => ({ status: 200, ...(await getModelPrices(ctx)) }),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/model-prices',
    operationId: 'changeModelPrices',
    summary: 'Change model prices',
    description: [
      'Changes the price table with a JSON merge patch. Calls that end from now on cost what it says; earlier ones keep their cost.',
      'Each change is in the audit log.',
    ],
    tags,
    access: { scope: 'admin' },
    body: changeModelPricesBody,
    isVersioned: true,
    responses: shownPrices,
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body: patch, ifMatch }) => {
      const { body, version } = await changeModelPrices(ctx, { ifMatch, body: patch });
      return { status: 200, body, version };
    },
  }),
];

export const budgetRoutes: Route[] = [...writeRoutes, ...readRoutes, ...priceRoutes];
