import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loading, ProblemNote } from '../parts/notes.tsx';
import { BarChart } from '../resources/charts/bar-chart.tsx';
import { performanceQuery, seriesQuery } from '../resources/performance.ts';
import { type Performance, periodLabels } from '../resources/performance-words.ts';
import { SeriesCharts } from '../resources/charts/series-charts.tsx';
import styles from './overview.module.css';

const shown = ['day', 'week', 'month'] as const;

/** The share of created tasks that is done, and the share that is late. */
export function OverviewCharts() {
  const series = useQuery(seriesQuery({ interval: 'day' }));
  const reads = useQueries({ queries: shown.map((period) => performanceQuery(period)) });
  const all = [series, ...reads];
  const failed = all.find(({ data, error }) => error && !data);
  if (failed) return <ProblemNote error={failed.error} onRetry={() => all.forEach((one) => void one.refetch())} />;
  const metrics = reads.flatMap(({ data }): Performance[] => (data ? [data] : []));
  if (metrics.length < shown.length || !series.data) return <Loading />;
  return (
    <section aria-label="Charts" className={styles['charts']}>
      <SeriesCharts {...series.data} />
      <BarChart
        caption="Overdue now: tasks past their due date, of all tasks"
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
