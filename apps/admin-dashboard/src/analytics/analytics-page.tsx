import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { EmptyState, Loading, NotRead, ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { saveFile } from '../parts/save-file.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { LogFilters } from '../resources/log/log-filters.tsx';
import { RoleFilter } from '../resources/names/role-filter.tsx';
import { performanceQuery, seriesQuery } from '../resources/performance.ts';
import { type Performance, periodLabels, periods } from '../resources/performance-words.ts';
import type { AnalyticsChartsProps } from './analytics-charts.tsx';
import type { AnalyticsSearch } from './analytics-search.ts';
import styles from './analytics.module.css';
import { csvOf } from './csv.ts';
import { Durations } from './durations.tsx';
import { ModelUse } from './model-use.tsx';
import { readAgain } from '../live/read-again.ts';

const Charts = lazy(async () => ({ default: (await import('./analytics-charts.tsx')).AnalyticsCharts }));

export function AnalyticsPage() {
  const { period = 'month', role } = useSearch({ from: '/analytics' });
  const client = useQueryClient();
  const { data, error, dataUpdatedAt, isFetching } = useQuery(performanceQuery(period, role));
  const series = useSeries(data, role);
  const save = () =>
    data && saveFile(`analytics-${period}${role ? `-${role}` : ''}.csv`, csvOf(data, series.data), 'text/csv');
  const readNow = () => void readAgain(client, ['analytics', 'budgets']);
  useShortcuts([
    { keys: 'r', label: 'Read the figures again', run: readNow },
    { keys: 'd', label: 'Download as CSV', run: () => void save() },
  ]);
  return (
    <>
      <PageHead title="Analytics">
        <Button shortcut="r" disabled={isFetching} onClick={readNow}>
          Read again
        </Button>
        <Button shortcut="d" disabled={!data} onClick={() => void save()}>
          Download CSV
        </Button>
      </PageHead>
      <Pickers data={data} />
      {!data && <NotRead error={error} onRetry={readNow} />}
      {data && !series.data && series.error && <ProblemNote error={series.error} onRetry={readNow} />}
      {data && (
        <div className={styles['page']}>
          <p className={parts['small']}>
            Tasks that were created between {dayOf(data.date_range.start)} and {dayOf(data.date_range.end)} (UTC), read{' '}
            <Moment at={new Date(dataUpdatedAt).toISOString()} />.
          </p>
          <Figures data={data} series={series.data} />
          <Durations from={data.date_range.start} role={role} />
          <ModelUse from={data.date_range.start} />
        </div>
      )}
    </>
  );
}

/** By hour within a day, else by day, from the start of the period. */
const useSeries = (data: Performance | undefined, role: string | undefined) =>
  useQuery({
    ...seriesQuery({
      interval: data?.period === 'day' ? 'hour' : 'day',
      ...(data && { from: data.date_range.start }),
      ...(role && { role }),
    }),
    enabled: data !== undefined,
  });

function Figures({ data, series }: AnalyticsChartsProps) {
  const isStill = series?.points.every(({ completed, failed }) => completed === 0 && failed === 0) ?? true;
  if (
    isStill &&
    data.tasks.total === 0 &&
    Object.values(data.agents).every(({ tasks_completed: count }) => count === 0)
  )
    return (
      <EmptyState title="No tasks in this period">
        Choose a longer period or another role. Figures appear seconds after a task is created.
      </EmptyState>
    );
  return (
    <Suspense fallback={<Loading />}>
      <Charts {...{ data, series }} />
    </Suspense>
  );
}

const dayOf = (timestamp: string): string => timestamp.slice(0, 10);

/** Period and role, which are part of the address. */
function Pickers({ data }: { data: Performance | undefined }) {
  const search: AnalyticsSearch = useSearch({ from: '/analytics' });
  const navigate = useNavigate({ from: '/analytics' });
  const change = (next: Record<string, string | undefined>) =>
    void navigate({ to: '/analytics', search: { ...search, ...next } as AnalyticsSearch, replace: true });
  return (
    <LogFilters label="Period and role">
      <select
        aria-label="Period"
        value={search.period ?? 'month'}
        onChange={({ target }) => change({ period: target.value })}
      >
        {periods.map((period) => (
          <option key={period} value={period}>
            {periodLabels[period]}
          </option>
        ))}
      </select>
      <RoleFilter
        any="All roles"
        more={Object.keys(data?.agents ?? {})}
        value={search.role}
        onChange={(role) => change({ role })}
      />
    </LogFilters>
  );
}
