import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, read } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { EmptyState, NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import styles from './workflows.module.css';

const pageSize = 100;

export function WorkflowListPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['workflows', 'list'],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      read(api.GET('/v1/workflows', { params: { query: { limit: pageSize, offset, sort: 'name' } }, signal })),
    // The list does not say how many there are: a full page may have another one after it.
    getNextPageParam: (last, all) => (last.data.length === pageSize ? all.length * pageSize : undefined),
  });
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
      {workflows.length === 0 && (
        <EmptyState title="No workflows">
          A workflow is a set of steps with roles, each done by an agent. Write a definition, then start runs of it.
        </EmptyState>
      )}
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
