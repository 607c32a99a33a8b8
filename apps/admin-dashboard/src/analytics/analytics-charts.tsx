import type { Schemas } from '../api/client.ts';
import { BarChart } from '../resources/charts/bar-chart.tsx';
import {
  hoursOf,
  type Performance,
  periodLabels,
  throughputOf,
  throughputSeries,
} from '../resources/performance-words.ts';
import { DurationChart, SeriesCharts } from '../resources/charts/series-charts.tsx';
import styles from './analytics.module.css';

type RoleFigures = Performance['agents'][string];

const scores = [
  ['code_quality', 'Code quality'],
  ['requirements_clarity', 'Clarity of requirements'],
] as const;

export type AnalyticsChartsProps = { data: Performance; series: Schemas['PerformanceSeries'] | undefined };

/** What happened over time, the tasks as a whole, then each role: what it completed, how long that took, how it was rated. */
export function AnalyticsCharts({ data, series }: AnalyticsChartsProps) {
  const { tasks, period } = data;
  const roles = Object.entries(data.agents).sort(([, left], [, right]) => right.tasks_completed - left.tasks_completed);
  const barsOf = (valueOf: (figures: RoleFigures) => number | null) =>
    roles.flatMap(([name, figures]) => {
      const value = valueOf(figures);
      return value === null ? [] : [{ name, values: [value] }];
    });
  const name = periodLabels[period];
  return (
    <>
      <dl className={styles['figures']}>
        <Figure name="Created" value={String(tasks.total)} />
        <Figure name="Completed" value={`${Math.round(tasks.completion_rate * 100)} %`} />
        <Figure
          name="Mean time to completion"
          value={tasks.avg_completion_seconds === null ? '–' : tasks.avg_completion_time}
        />
      </dl>
      {series && <SeriesCharts {...series} />}
      {series && <DurationChart {...series} />}
      <BarChart
        caption="What became of the tasks"
        of="Created"
        series={throughputSeries}
        bars={[{ name, values: throughputOf(data) }]}
      />
      <BarChart
        caption="Overdue now: past the due date, of all tasks"
        of="Created"
        series={[{ name: 'Overdue', tone: 'bad' }]}
        bars={[{ name, values: [tasks.overdue], total: tasks.total }]}
      />
      <BarChart
        caption="Completed by role"
        of="Role"
        series={[{ name: 'Tasks', tone: 'good' }]}
        bars={barsOf((figures) => figures.tasks_completed)}
      />
      <BarChart
        caption="Mean time from the first claim to completion, by role"
        of="Role"
        series={[{ name: 'Hours', tone: 'accent' }]}
        bars={barsOf((figures) => hoursOf(figures.avg_completion_seconds))}
      />
      {scores.map(([score, caption]) => {
        const bars = barsOf((figures) => figures.scores[score]);
        if (bars.length === 0) return null;
        const outOf100 = bars.map((bar) => ({ ...bar, total: 100 }));
        const series = [{ name: 'Of 100', tone: 'accent' }] as const;
        return <BarChart key={score} caption={`${caption}, by role`} of="Role" series={series} bars={outOf100} />;
      })}
    </>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
