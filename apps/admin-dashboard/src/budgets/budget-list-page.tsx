import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { Actor } from '../resources/names/actor.tsx';
import { ProfileLink } from '../resources/names/profile-link.tsx';
import { ProjectLink } from '../resources/names/project-link.tsx';
import { amountText, type Budget, budgetName, budgetPeriods } from '../resources/usage/usage-words.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { budgetPages } from './budget-queries.ts';
import type { BudgetSearch } from './budget-search.ts';
import { scopes, usedText } from './budget-values.ts';
import { CreateBudget } from './create-budget.tsx';
import { EditBudget } from './edit-budget.tsx';
import { PriceTable } from './price-table.tsx';

export function BudgetListPage() {
  const search: BudgetSearch = useSearch({ from: '/budgets' });
  const navigate = useNavigate({ from: '/budgets' });
  const mayWrite = useMay('admin');
  const change = (next: BudgetSearch) => void navigate({ search: next, replace: true });
  const close = () => change({});
  const create = () => mayWrite && change({ new: true });
  const pages = useCursorPages(budgetPages);
  useShortcuts(mayWrite ? [{ keys: 'n', label: 'Create a budget', run: create }] : []);
  return (
    <>
      <PageHead title="Budgets">
        {mayWrite && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <LogTable
        label="Budgets"
        pages={pages}
        columns={columnsFor(mayWrite)}
        empty={
          <EmptyState title="No budgets" action={mayWrite && <Button onClick={create}>Create a budget</Button>}>
            A budget limits what agents may use models for, in USD, tokens or calls. A call that a used-up budget
            refuses ends the turn of the agent, which says why.
          </EmptyState>
        }
      />
      <PriceTable {...{ mayWrite, model: search.price, onClose: close }} onOpen={(price) => change({ price })} />
      {search.new && mayWrite && <CreateBudget onClose={close} />}
      {search.budget !== undefined && mayWrite && <EditBudget id={search.budget} onClose={close} />}
    </>
  );
}

/** Whose calls count. */
function Whose({ budget: { scope, scope_id: id } }: { budget: Budget }) {
  if (id === null) return scope === 'task' ? scopes.task : scopes.tenant;
  if (scope === 'project') return <ProjectLink id={id} />;
  if (scope === 'profile') return <ProfileLink id={id} />;
  return scope === 'agent' ? <Actor id={id} /> : <>Role {id}</>;
}

/** Whether calls are allowed. Budgets that count each task separately have no single state. */
function State({ budget: { current, limit, warn_at_percent: warn } }: { budget: Budget }) {
  if (!current) return null;
  if (current.is_exhausted) return <Tag tone="bad">used up</Tag>;
  return current.spent >= (limit * warn) / 100 ? <Tag tone="warn">nearly used up</Tag> : <Tag tone="good">open</Tag>;
}

const columnsFor = (mayWrite: boolean) => [
  { name: 'Whose calls', share: 2, show: (budget: Budget) => <Whose budget={budget} /> },
  {
    name: 'Limit',
    share: 2,
    show: ({ unit, limit, period }: Budget) => `${amountText(unit, limit)} for ${budgetPeriods[period]}`,
  },
  { name: 'Used', share: 2, show: (budget: Budget) => usedText(budget) },
  { name: 'State', show: (budget: Budget) => <State budget={budget} /> },
  { name: 'Until', show: ({ current }: Budget) => current && <Moment at={current.ends_at} /> },
  {
    name: 'Change',
    show: (budget: Budget) =>
      mayWrite &&
      budget.scope !== 'profile' && (
        <Link
          to="/budgets"
          search={{ budget: budget.id }}
          aria-label={`Change the budget: ${budgetName(budget)}, in ${budget.unit}`}
        >
          Change
        </Link>
      ),
  },
];
