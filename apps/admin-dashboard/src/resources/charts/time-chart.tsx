import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleLinear, scaleUtc } from '@visx/scale';
import { LinePath } from '@visx/shape';
import type { Tone } from '../../parts/tag.tsx';
import { momentWords, type TimeUnit } from './chart-times.ts';
import { TableHead } from './table-head.tsx';
import styles from './time-chart.module.css';
import { useWidth } from './use-width.ts';

type TimeSeries = { name: string; tone: Tone };
/** `values`: one for each series; null: there is none at this moment. */
type TimePoint = { at: string; values: readonly (number | null)[] };
export type TimeChartProps = {
  caption: string;
  unit: TimeUnit;
  series: readonly TimeSeries[];
  points: readonly TimePoint[];
};

/**
 * Lines over time (UTC); the same numbers are in a table below, for those who cannot see the lines or want exact
 * numbers.
 */
export function TimeChart(props: TimeChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  return (
    <figure className={styles['figure']} aria-label={props.caption}>
      <figcaption>
        <strong>{props.caption}</strong>
        <span className={styles['keys']}>
          {props.series.map(({ name, tone }) => (
            <span key={name} data-tone={tone}>
              <span className={styles['key']} aria-hidden="true" />
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={box}>{width > 0 && <Lines {...props} width={width} />}</div>
      <details>
        <summary>Numbers</summary>
        <Numbers {...props} />
      </details>
    </figure>
  );
}

const [height, left, right, top, bottom] = [180, 40, 12, 8, 24];

function Lines({ unit, series, points, width }: TimeChartProps & { width: number }) {
  const moments = points.map(({ at }) => new Date(at));
  const highest = Math.max(1, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)));
  // Counts have no halves.
  const ticks = Math.min(4, Math.ceil(highest));
  const x = scaleUtc({ domain: [moments[0] ?? 0, moments.at(-1) ?? 0], range: [left, width - right] });
  const y = scaleLinear({ domain: [0, highest], range: [height - bottom, top], nice: ticks });
  const axis = {
    axisClassName: styles['axis'] ?? '',
    hideTicks: true,
    tickLabelProps: { className: styles['tick'] ?? '' },
  };
  return (
    <svg aria-hidden="true" width={width} height={height} className={styles['lines']}>
      <AxisLeft
        scale={y}
        left={left}
        numTicks={ticks}
        hideAxisLine
        tickFormat={(value) => number.format(Number(value))}
        {...axis}
      />
      <AxisBottom
        scale={x}
        top={height - bottom}
        numTicks={Math.max(2, Math.floor(width / 110))}
        tickFormat={(value) => momentWords(new Date(Number(value)), unit)}
        {...axis}
      />
      {series.map(({ name, tone }, at) => (
        <g key={name} data-tone={tone}>
          <LinePath
            data={points.map((point, index) => ({ moment: moments[index] ?? 0, value: point.values[at] ?? null }))}
            defined={({ value }) => value !== null}
            x={({ moment }) => x(moment)}
            y={({ value }) => y(value ?? 0)}
          />
          {points.map(({ at: key, values }, index) => (
            <Dot
              key={key}
              x={x(moments[index] ?? 0)}
              y={y(values[at] ?? 0)}
              value={values[at]}
              of={`${name}, ${momentWords(new Date(key), unit)}`}
            />
          ))}
        </g>
      ))}
    </svg>
  );
}

const number = new Intl.NumberFormat();

type DotProps = { x: number; y: number; value: number | null | undefined; of: string };

/** Shows the number at the pointer. */
const Dot = ({ x, y, value, of }: DotProps) =>
  value === null || value === undefined ? null : (
    <circle cx={x} cy={y} r={3}>
      <title>{`${of}: ${number.format(value)}`}</title>
    </circle>
  );

function Numbers({ caption, unit, series, points }: TimeChartProps) {
  return (
    <div className={styles['numbers']} tabIndex={0} role="region" aria-label={`Numbers: ${caption}`}>
      <table>
        <TableHead columns={[unit === 'hour' ? 'Hour (UTC)' : 'Day (UTC)', ...series.map(({ name }) => name)]} />
        <tbody>
          {points.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">{momentWords(new Date(at), unit)}</th>
              {values.map((value, index) => (
                <td key={index}>{value === null ? '–' : number.format(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
