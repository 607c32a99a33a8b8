import type { Schemas } from '../../api/client.ts';
import { hoursOf } from '../performance-words.ts';
import { TimeChart } from './time-chart.tsx';

type Series = Schemas['PerformanceSeries'];

const throughput = [
  { name: 'Completed', tone: 'good' },
  { name: 'Created', tone: 'accent' },
] as const;
const lateness = [
  { name: 'Completed late', tone: 'bad' },
  { name: 'Failed', tone: 'warn' },
] as const;

/** What was created, completed, late and failed, in each hour or on each day. */
export function SeriesCharts({ interval: unit, points }: Series) {
  return (
    <>
      <TimeChart
        caption={`Throughput: tasks by ${unit}`}
        {...{ unit, series: throughput }}
        points={points.map(({ at, completed, created }) => ({ at, values: [completed, created] }))}
      />
      <TimeChart
        caption={`Lateness and failures: tasks by ${unit}`}
        {...{ unit, series: lateness }}
        points={points.map(({ at, late, failed }) => ({ at, values: [late, failed] }))}
      />
    </>
  );
}

const duration = [{ name: 'Hours', tone: 'accent' }] as const;

/** How long work took, by when it was completed. */
export const DurationChart = ({ interval: unit, points }: Series) => (
  <TimeChart
    caption={`Mean time from the first claim to completion, by ${unit}`}
    {...{ unit, series: duration }}
    points={points.map(({ at, avg_completion_seconds: seconds }) => ({ at, values: [hoursOf(seconds)] }))}
  />
);
