import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { ShownOnce } from '../resources/copy-text.tsx';
import { ChoiceFilter, LogFilters, plainOptions } from '../resources/log/log-filters.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { CreateTenant } from './tenant-form.tsx';
import { type Tenant, tenantPages, toneOf } from './tenant-queries.ts';
import { type TenantListSearch, tenantStatuses } from './tenant-search.ts';

const columns = [
  {
    name: 'Name',
    share: 2,
    show: ({ id, name }: Tenant) => (
      <Link to="/tenants/$tenantId" params={{ tenantId: id }} data-opens-page title={name}>
        {name}
      </Link>
    ),
  },
  { name: 'Slug', show: ({ slug }: Tenant) => slug },
  { name: 'Plan', show: ({ plan }: Tenant) => plan ?? undefined },
  { name: 'Status', show: ({ status }: Tenant) => <Tag tone={toneOf(status)}>{status}</Tag> },
  { name: 'Created', show: ({ created_at: at }: Tenant) => <Moment at={at} /> },
];

export function TenantListPage() {
  const search: TenantListSearch = useSearch({ from: '/tenants' });
  const navigate = useNavigate({ from: '/tenants' });
  const [made, setMade] = useState<Schemas['CreatedTenant']>();
  const change = (next: object) => void navigate({ search: { ...search, ...next }, replace: true });
  const create = () => change({ new: true });
  const openPage = (tenantId: string) => void navigate({ to: '/tenants/$tenantId', params: { tenantId } });
  useShortcuts([{ keys: 'n', label: 'Create a tenant', run: create }]);
  return (
    <>
      <PageHead title="Tenants">
        <Button look="primary" shortcut="n" onClick={create}>
          Create
        </Button>
      </PageHead>
      <LogFilters>
        <ChoiceFilter
          label="Status"
          any="Any status"
          options={plainOptions(tenantStatuses)}
          value={search.status}
          onChange={(status) => change({ status })}
        />
      </LogFilters>
      <TenantTable key={`${search.status} ${search.plan}`} search={search} />
      {search.new && !made && (
        <CreateTenant
          onClose={() => change({ new: undefined })}
          onMade={(tenant) => (tenant.admin_link === undefined ? openPage(tenant.id) : setMade(tenant))}
        />
      )}
      {made && (
        <ShownOnce
          title="Copy the link now"
          values={{ 'One-time link': made.admin_link ?? '' }}
          onClose={() => openPage(made.id)}
        >
          Send it to the first administrator. It is shown only once, and sets a password once, within 24 hours.
        </ShownOnce>
      )}
    </>
  );
}

const TenantTable = ({ search }: { search: TenantListSearch }) => (
  <LogTable
    label="Tenants"
    pages={useCursorPages(tenantPages(search))}
    columns={columns}
    empty={<EmptyState title="No tenants">No tenant fits these filters. Clear them.</EmptyState>}
  />
);
