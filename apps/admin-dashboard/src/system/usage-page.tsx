import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { basePath } from '../api/base-path.ts';
import { readAgain } from '../live/read-again.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { LogFilters } from '../resources/log/log-filters.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { figure, tokensOf } from '../resources/usage/usage-words.ts';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { bytesText, usdText } from './amounts.ts';
import { currentMonth, exportQuery, type TenantUsage, usagePages } from './usage-queries.ts';
import { type UsageSearch, type UsageSort, usageSorts } from './usage-search.ts';

/** What all tenants used in a month, or one tenant in all months. */
export function UsagePage() {
  const search: UsageSearch = useSearch({ from: '/usage' });
  const client = useQueryClient();
  const pages = useCursorPages(usagePages(search));
  const readNow = () => void readAgain(client, ['system']);
  useShortcuts([{ keys: 'r', label: 'Read the usage again', run: readNow }]);
  const isOfTenant = search.tenant !== undefined;
  const name = pages.rows[0]?.name ?? search.tenant;
  return (
    <>
      <PageHead title={isOfTenant ? `Usage of ${name}` : 'Usage'}>
        <Button shortcut="r" disabled={pages.isReading} onClick={readNow}>
          Read again
        </Button>
        <a href={`${basePath}/admin/api/usage.csv?${exportQuery(search)}`} download>
          Download CSV
        </a>
      </PageHead>
      {isOfTenant ? (
        <p className={parts['small']}>
          <Link to="/usage">All tenants</Link>
        </p>
      ) : (
        <Pickers search={search} />
      )}
      <LogTable
        label="Usage"
        pages={pages}
        columns={[isOfTenant ? monthColumn : tenantColumn, ...figureColumns]}
        empty={
          <EmptyState title="No usage">
            Nothing was measured for this. The current month is measured every few minutes, and closed four days after
            its end.
          </EmptyState>
        }
      />
    </>
  );
}

/** Month and order, which are part of the address. */
function Pickers({ search }: { search: UsageSearch }) {
  const navigate = useNavigate({ from: '/usage' });
  const change = (next: UsageSearch) => void navigate({ search: { ...search, ...next }, replace: true });
  return (
    <LogFilters>
      <input
        type="month"
        aria-label="Month"
        value={search.month ?? currentMonth()}
        max={currentMonth()}
        onChange={({ target }) => target.value !== '' && change({ month: target.value })}
      />
      <select
        aria-label="Order"
        value={search.sort ?? '-events'}
        onChange={({ target }) => change({ sort: target.value as UsageSort })}
      >
        {Object.entries(usageSorts).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </select>
    </LogFilters>
  );
}

const tenantColumn = {
  name: 'Tenant',
  share: 2,
  show: ({ tenant_id: tenant, name }: TenantUsage) => (
    <Link to="/usage" search={{ tenant }} title={tenant}>
      {name}
    </Link>
  ),
};
const monthColumn = {
  name: 'Month',
  share: 2,
  show: ({ month }: TenantUsage) => (
    <Link to="/usage" search={{ month }}>
      {month}
    </Link>
  ),
};

const figureColumns = [
  { name: 'Events', show: ({ events }: TenantUsage) => figure(events) },
  { name: 'Tasks', show: ({ tasks_created: tasks }: TenantUsage) => figure(tasks) },
  { name: 'Deliveries', show: ({ deliveries }: TenantUsage) => figure(deliveries) },
  { name: 'Received', show: ({ inbound_events: received }: TenantUsage) => figure(received) },
  { name: 'Tokens', show: (usage: TenantUsage) => figure(tokensOf(usage)) },
  { name: 'Models, USD', show: ({ model_cost_usd: cost }: TenantUsage) => usdText(cost) },
  {
    name: 'Storage',
    show: ({ average_storage_bytes: bytes }: TenantUsage) => (bytes === null ? '' : bytesText(bytes)),
  },
  {
    name: 'State',
    show: ({ closed_at: closedAt }: TenantUsage) =>
      closedAt === null ? <Tag>open</Tag> : <Tag tone="good">closed</Tag>,
  },
];
