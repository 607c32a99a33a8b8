import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { EmptyState, NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { ChoiceFilter, LogFilters } from '../resources/log/log-filters.tsx';
import type { WorkflowSearch } from './workflow-search.ts';
import styles from './workflows.module.css';

const pageSize = 100;

function useWorkflowPages(isArchived: boolean) {
  return useInfiniteQuery({
    queryKey: ['workflows', 'list', isArchived],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) => {
      const which = { is_archived: isArchived ? ('true' as const) : ('false' as const) };
      const query = { ...which, limit: pageSize, offset, sort: 'name' as const };
      return read(api.GET('/v1/workflows', { params: { query }, signal }));
    },
    // The response has no total: a full page may be followed by another one.
    getNextPageParam: (last, all) => (last.data.length === pageSize ? all.length * pageSize : undefined),
  });
}

export function WorkflowListPage() {
  const search: WorkflowSearch = useSearch({ from: '/workflows' });
  const isArchived = search.archived === true;
  const navigate = useNavigate({ from: '/workflows' });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useWorkflowPages(isArchived);
  const mayWrite = useMay('workflows:write');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const workflows = data.pages.flatMap((page) => page.data);
  return (
    <>
      <PageHead title="Workflows">
        {mayWrite && (
          <Link to="/workflows/new" className={buttonClass('primary')}>
            New workflow
          </Link>
        )}
      </PageHead>
      <LogFilters>
        <ChoiceFilter
          label="State"
          any="In use"
          options={{ archived: 'Archived' }}
          value={isArchived ? 'archived' : undefined}
          onChange={(value) => void navigate({ search: value ? { archived: true } : {}, replace: true })}
        />
      </LogFilters>
      {workflows.length === 0 && <NoWorkflows isArchived={isArchived} />}
      <ul className={styles['list']}>
        {workflows.map(({ id, name, description, steps, estimated_duration: duration }) => (
          <li key={id} className={styles['item']}>
            <Link to="/workflows/$workflowId" params={{ workflowId: id }} data-opens-page dir="auto">
              {name}
            </Link>
            <span className={parts['small']}>
              {steps === 1 ? '1 step' : `${steps} steps`}, {duration}
            </span>
            <p dir="auto">{description}</p>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

const NoWorkflows = ({ isArchived }: { isArchived: boolean }) =>
  isArchived ? (
    <EmptyState title="No archived workflows">
      Archive a workflow on its page when it is no longer used: no run of it can start then.
    </EmptyState>
  ) : (
    <EmptyState title="No workflows">
      A workflow is a set of steps with roles, each done by an agent. Write a definition, then start runs of it.
    </EmptyState>
  );
