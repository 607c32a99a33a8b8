import { budgetListFields, type BudgetListQuery, type Page, type PageOfItems } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import { budgetColumns, useColumns, withUse } from './budget.store.ts';
import type { Budget, BudgetUse } from './budget.ts';

type Field = (typeof budgetListFields)[number];
export type BudgetFilter = Pick<BudgetListQuery, Field>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  scope: { sql: 'scope', type: 'text' },
  scope_id: { sql: '"scopeId"', type: 'text' },
  unit: { sql: 'unit', type: 'text' },
  period: { sql: 'period', type: 'text' },
  warn_at_percent: { sql: '"warnAtPercent"', type: 'int' },
  version: { sql: 'version', type: 'int' },
  // The id has the same time.
  created_at: { sql: 'id', type: 'text' },
  updated_at: { sql: '"updatedAt"', type: 'timestamptz' },
};
const source: ListSource = {
  from: `(SELECT b.tenant_id, ${budgetColumns}, ${useColumns} FROM ${withUse}) AS shown`,
  columns: '*',
  sortable,
};

export function pageBudgets(
  scope: DbScope,
  filter: BudgetFilter,
  page: Page,
): Promise<PageOfItems<Budget & BudgetUse>> {
  const conditions = budgetListFields.map((field) => equals(sortable[field].sql, filter[field]));
  return fetchPage<Budget & BudgetUse>(scope, source, conditions, page);
}
