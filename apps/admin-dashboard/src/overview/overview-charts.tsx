import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import { BarChart } from '../work/bar-chart.tsx';
import { performanceQuery } from '../work/performance.ts';
import { type Performance, periodLabels, throughputOf, throughputSeries } from '../work/performance-words.ts';
import styles from './overview.module.css';

const shown = ['day', 'week', 'month'] as const;

/** How much is done of what is created, and how much of it is late. */
export function OverviewCharts() {
  const reads = useQueries({ queries: shown.map((period) => performanceQuery(period)) });
  const failed = reads.find(({ error }) => error);
  if (failed) return <ProblemNote error={failed.error} onRetry={() => reads.forEach((one) => void one.refetch())} />;
  const metrics = reads.flatMap(({ data }): Performance[] => (data ? [data] : []));
  if (metrics.length < shown.length) return <Loading />;
  return (
    <section aria-label="Charts" className={styles['charts']}>
      <BarChart
        caption="Throughput: tasks by the time of their creation"
        of="Created"
        series={throughputSeries}
        bars={metrics.map((one) => ({ name: periodLabels[one.period], values: throughputOf(one) }))}
      />
      <BarChart
        caption="Lateness: tasks past their due date, of all tasks"
        of="Created"
        series={[{ name: 'Overdue', tone: 'bad' }]}
        bars={metrics.map(({ period, tasks }) => ({
          name: periodLabels[period],
          values: [tasks.overdue],
          total: tasks.total,
        }))}
      />
      <Link to="/analytics" data-opens-page>
        All figures
      </Link>
    </section>
  );
}
