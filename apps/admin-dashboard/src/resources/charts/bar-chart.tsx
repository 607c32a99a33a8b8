import type { Tone } from '../../parts/tag.tsx';
import styles from './bar-chart.module.css';

type Series = { name: string; tone: Tone };
/** `values`: one for each series, at least 0; `total`: the length of the whole bar, their sum at least. */
type Bar = { name: string; values: readonly number[]; total?: number };
export type BarChartProps = { caption: string; of: string; series: readonly Series[]; bars: readonly Bar[] };

const number = new Intl.NumberFormat();
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const lengthOf = ({ values, total = 0 }: Bar): number => Math.max(total, sumOf(values));

/** A table whose rows end with a bar: screen readers get the same numbers. */
export function BarChart({ caption, of, series, bars }: BarChartProps) {
  const longest = Math.max(1, ...bars.map(lengthOf));
  return (
    <table className={styles['chart']}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          {series.map(({ name, tone }) => (
            <th key={name} scope="col" data-tone={tone}>
              <span className={styles['key']} aria-hidden="true" />
              {name}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row">{bar.name}</th>
            {bar.values.map((value, at) => (
              <td key={at}>{number.format(value)}</td>
            ))}
            <td className={styles['bar']}>
              <Segments bar={bar} series={series} longest={longest} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Segments({ bar, series, longest }: { bar: Bar; series: readonly Series[]; longest: number }) {
  const percent = (value: number) => `${(value / longest) * 100}%`;
  return (
    <svg aria-hidden="true" width="100%" height="12">
      <rect className={styles['rest']} width={percent(lengthOf(bar))} height="12" rx="2" />
      {bar.values.map((value, at) => (
        <rect
          key={at}
          data-tone={series[at]?.tone}
          x={percent(sumOf(bar.values.slice(0, at)))}
          width={percent(value)}
          height="12"
        />
      ))}
    </svg>
  );
}
