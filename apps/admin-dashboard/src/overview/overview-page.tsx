import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { totalOf } from '../shell/waiting.ts';
import { statusLabel } from '../resources/task-words.ts';
import { Attention } from './attention.tsx';
import { agentCountQuery, countsQuery, openStatuses } from './overview-queries.ts';
import styles from './overview.module.css';

const Charts = lazyPart(() => import('./overview-charts.tsx'), 'OverviewCharts');

export function OverviewPage() {
  const mayChart = useMay('analytics:read');
  return (
    <>
      <PageHead title="Overview" />
      <div className={styles['page']}>
        <Counts />
        <Attention />
        {mayChart && <Charts />}
      </div>
    </>
  );
}

/** The number of tasks by status that is not final, and of agents by presence. */
function Counts() {
  const maySeeAgents = useMay('agents:read');
  const counts = useQuery(countsQuery);
  const agents = useQuery({ ...agentCountQuery(), enabled: maySeeAgents });
  const online = useQuery({ ...agentCountQuery('online'), enabled: maySeeAgents });
  if (counts.error && !counts.data) return <ProblemNote error={counts.error} onRetry={() => void counts.refetch()} />;
  return (
    <section aria-label="Now">
      <ul className={styles['counts']}>
        {openStatuses.map((status) => (
          <li key={status}>
            <Link to="/tasks" search={{ status }} className={styles['count']} data-opens-page>
              <strong>{counts.data?.by_status[status] ?? '…'}</strong> {statusLabel(status)}
            </Link>
          </li>
        ))}
        {online.data && agents.data && (
          <li>
            <Link to="/agents" search={{ presence: 'online' }} className={styles['count']} data-opens-page>
              <strong>
                {totalOf(online.data)} of {totalOf(agents.data)}
              </strong>{' '}
              Agents online
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
