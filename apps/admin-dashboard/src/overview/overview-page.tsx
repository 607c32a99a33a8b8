import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useMay } from '../api/session.ts';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { totalOf } from '../shell/waiting.ts';
import { agentsQuery } from '../work/task-queries.ts';
import { statusLabel } from '../work/task-words.ts';
import { Attention } from './attention.tsx';
import { countQuery, openStatuses } from './overview-queries.ts';
import styles from './overview.module.css';

const Charts = lazy(async () => ({ default: (await import('./overview-charts.tsx')).OverviewCharts }));

export function OverviewPage() {
  const mayChart = useMay('analytics:read');
  return (
    <>
      <PageHead title="Overview" />
      <div className={styles['page']}>
        <Counts />
        <Attention />
        {mayChart && (
          <Suspense fallback={<Loading />}>
            <Charts />
          </Suspense>
        )}
      </div>
    </>
  );
}

/** How many tasks there are of each status that is not final, and how many agents are seen. */
function Counts() {
  const maySeeAgents = useMay('agents:read');
  const counts = useQueries({ queries: openStatuses.map((status) => countQuery(status)) });
  const agents = useQuery({ ...agentsQuery, enabled: maySeeAgents });
  const failed = counts.find(({ data, error }) => error && !data);
  if (failed) return <ProblemNote error={failed.error} onRetry={() => counts.forEach((one) => void one.refetch())} />;
  const online = agents.data?.data.filter(({ presence }) => presence === 'online').length;
  return (
    <section aria-label="Now">
      <ul className={styles['counts']}>
        {openStatuses.map((status, at) => (
          <li key={status}>
            <Link to="/tasks" search={{ status }} className={styles['count']} data-opens-page>
              <strong>{counts[at]?.data ? totalOf(counts[at].data) : '…'}</strong> {statusLabel(status)}
            </Link>
          </li>
        ))}
        {online !== undefined && (
          <li>
            <Link to="/agents" search={{ presence: 'online' }} className={styles['count']} data-opens-page>
              <strong>
                {online} of {totalOf(agents.data)}
              </strong>{' '}
              Agents online
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
