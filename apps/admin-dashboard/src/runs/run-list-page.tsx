import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, read } from '../api/client.ts';
import { Moment } from '../parts/moment.tsx';
import { EmptyState } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tag } from '../parts/tag.tsx';
import { type LogColumn, LogTable } from '../resources/log-table.tsx';
import { ChoiceFilter, LogFilters } from '../resources/log/log-filters.tsx';
import { NameFilter } from '../resources/names/name-choice.tsx';
import { workflowNames } from '../resources/names/sources.ts';
import { type RunSummary, workflowsQuery } from '../resources/run-queries.ts';
import { runStatuses, runStatusLabel, runWords } from '../resources/run-words.ts';
import { type CursorPage, useCursorPages } from '../resources/use-cursor-pages.ts';
import { type RunSearch, runSorts } from './run-search.ts';

export function RunListPage() {
  const search: RunSearch = useSearch({ from: '/runs' });
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Runs" />
      <Filters
        search={search}
        onChange={(change) => void navigate({ to: '/runs', search: { ...search, ...change }, replace: true })}
      />
      <RunTable key={JSON.stringify(search)} search={search} />
    </>
  );
}

type FiltersProps = { search: RunSearch; onChange: (change: Record<string, string | undefined>) => void };

function Filters({ search, onChange }: FiltersProps) {
  const change = (next: Record<string, string | undefined>) => onChange({ ...next, workflow_version: undefined });
  return (
    <LogFilters>
      <ChoiceFilter
        label="Status"
        any="Any status"
        options={Object.fromEntries(runStatuses.map((status) => [status, runStatusLabel(status)]))}
        value={search.status}
        onChange={(status) => change({ status })}
      />
      <NameFilter
        source={workflowNames}
        label="Workflow"
        any="Any workflow"
        value={search.workflow_id}
        onChange={(id) => change({ workflow_id: id })}
      />
      <ChoiceFilter
        label="Sort by"
        any={newestFirst}
        options={otherSorts}
        value={search.sort}
        onChange={(sort) => change({ sort })}
      />
      {search.workflow_version && <span>Version {search.workflow_version}</span>}
    </LogFilters>
  );
}

const { '-started_at': newestFirst, ...otherSorts } = runSorts;

const pageSize = 100;

function RunTable({ search }: { search: RunSearch }) {
  const workflows = useQuery(workflowsQuery).data?.data;
  const pages = useCursorPages<RunSummary>({
    queryKey: ['runs', 'page', search],
    read: async (after, signal) => {
      const query = { ...search, limit: pageSize, after };
      return (await read(api.GET('/v1/runs', { params: { query }, signal }))) as CursorPage<RunSummary>;
    },
  });
  const columns: LogColumn<RunSummary>[] = [
    {
      name: 'Name',
      show: ({ workflow_run_id: runId, name }) => (
        <Link to="/runs/$runId" params={{ runId }} data-opens-page title={name}>
          {name}
        </Link>
      ),
    },
    {
      name: 'Status',
      show: (run) => <Tag tone={runWords(run).tone}>{runWords(run).label}</Tag>,
    },
    {
      name: 'Workflow',
      show: ({ workflow_id: id }) => workflows?.find((one) => one.id === id)?.name ?? id,
    },
    { name: 'Started', show: ({ started_at: at }) => <Moment at={at} /> },
    { name: 'Done, or expected', show: ({ estimated_completion: at }) => <Moment at={at} /> },
  ];
  const empty = (
    <EmptyState title="No runs" action={<Link to="/workflows">Open the workflows</Link>}>
      No run fits these filters. Clear them, or start a run of a workflow.
    </EmptyState>
  );
  return <LogTable label="Runs" pages={pages} columns={columns} empty={empty} />;
}
