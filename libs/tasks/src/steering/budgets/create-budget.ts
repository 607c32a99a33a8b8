import type { BudgetResource, CreateBudgetBody } from '@eas/contracts';
import { AppError, idTimeMs, newId } from '@eas/core';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { findKnownAgents } from '../../records/agents/agent.store.ts';
import { newBudget } from '../../records/budgets/budget.ts';
import { assertBelowBudgetLimit, insertBudget } from '../../records/budgets/budget.store.ts';
import { findUnknownProjects } from '../../records/projects/project.store.ts';
import { getBudget } from '../../records/budgets/read-budgets.ts';

/**
 * Creates a budget. Calls that begin from now on count. Throws conflict `limit` when the tenant has too many, and
 * invalid_input for a project or an agent that does not exist; a role may get its agents later.
 */
export function createBudget(
  ctx: UseCaseContext,
  body: CreateBudgetBody,
): Promise<{ body: BudgetResource; version: number }> {
  const id = newId('budget', ctx.clock.now().getTime());
  const of = { id, scope: body.scope, scopeId: body.scope_id ?? '' };
  return ctx.inTransaction(async (tx) => {
    await assertBelowBudgetLimit(tx, ctx.limits.budgets);
    await assertExists(tx, body.scope, of.scopeId);
    await insertBudget(tx, newBudget(of, body, new Date(idTimeMs(id))));
    return getBudget(contextInTransaction(ctx, tx), id);
  });
}

async function assertExists(tx: Tx, scope: CreateBudgetBody['scope'], id: string): Promise<void> {
  if (scope !== 'project' && scope !== 'agent') return;
  const isKnown =
    scope === 'agent' ? (await findKnownAgents(tx, [id])).has(id) : (await findUnknownProjects(tx, [id])).size === 0;
  if (isKnown) return;
  const message = `scope_id must be the id of an existing ${scope}.`;
  throw new AppError('invalid_input', { field: 'scope_id', constraint: 'exists', message });
}
