import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { LogTable } from '../resources/log-table.tsx';
import { useCursorPages } from '../resources/use-cursor-pages.ts';
import { auditPages } from './access-queries.ts';
import type { AuditSearch } from './access-search.ts';
import { AuditEntry } from './audit-entry.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Who } from './names.tsx';
import { useReadsAgain } from './use-access.ts';

export function AuditPage() {
  const search = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const { entry, ...filters } = search;
  const change = (next: object) => void navigate({ search: { ...search, ...next }, replace: true });
  useReadsAgain('audit');
  return (
    <>
      <PageHead title="Audit log" />
      <AuditFilters key={JSON.stringify(filters)} search={filters} onChange={change} />
      <AuditTable
        key={`table ${JSON.stringify(filters)}`}
        search={filters}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      {entry && <AuditEntry id={entry} onClose={() => change({ entry: undefined })} />}
    </>
  );
}

function AuditTable({ search, onClear }: { search: AuditSearch; onClear: () => void }) {
  const pages = useCursorPages(auditPages(search));
  return (
    <LogTable
      label="Audit log"
      pages={pages}
      columns={[
        {
          name: 'What',
          show: ({ id, action }) => (
            <Link to="/audit" search={{ ...search, entry: id }} replace>
              {action}
            </Link>
          ),
        },
        { name: 'Who', show: (entry) => <Who id={entry.actor_id} /> },
        {
          name: 'To',
          show: (entry) => entry.target_id && <Who id={entry.target_id} />,
        },
        { name: 'When', show: ({ created_at: at }) => <Moment at={at} /> },
        { name: 'From', show: ({ remote_address: address }) => address },
        { name: 'Details', show: ({ data }) => (Object.keys(data).length > 0 ? JSON.stringify(data) : '') },
      ]}
      empty={
        <EmptyState title="No entries" action={<Button onClick={onClear}>Clear the filters</Button>}>
          Nothing that fits these filters was done.
        </EmptyState>
      }
    />
  );
}
