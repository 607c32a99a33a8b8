import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client.ts';
import { atMostBefore } from '../parts/times.ts';
import { durationsQuery } from '../resources/performance.ts';
import { TableHead } from '../resources/charts/table-head.tsx';
import styles from './analytics.module.css';
import { CsvLinks } from './csv-links.tsx';
import { durationText } from './duration-text.ts';

const columns = [
  'Role',
  'Completed',
  'Opened again',
  'Waited (median)',
  'Waited (90 %)',
  'Took (median)',
  'Took (90 %)',
];

/**
 * How long tasks waited and took that were completed since the start of the period, by role, and how much was rework. Of a
 * year the last 100 days.
 */
export function Durations({ from, role }: { from: string; role: string | undefined }) {
  const day = firstDayOf(from);
  const { data } = useQuery(durationsQuery(day, role));
  if (!data || data.total.completed === 0) return null;
  return (
    <section aria-label="Durations">
      <h2>Durations</h2>
      <p>Tasks that were completed since {day} (UTC). “90 %” waited, or took, at most this time.</p>
      <table className={styles['durations']} aria-label="Durations by role">
        <TableHead columns={columns} />
        <tbody>
          {role === undefined && <Row name="All" figures={data.total} />}
          {data.groups.map(({ key, ...figures }) => (
            <Row key={key} name={key === '' ? 'No role' : key} figures={figures} />
          ))}
        </tbody>
      </table>
      <CsvLinks label="As CSV:" report="durations" groupings={['role', 'agent', 'step']} from={day} />
    </section>
  );
}

/** A request has at most 100 days, the current one included. */
const mostDaysBefore = 99;

const firstDayOf = (from: string): string => atMostBefore(from, mostDaysBefore, Date.now()).slice(0, 10);

const Row = ({ name, figures }: { name: string; figures: Schemas['DurationFigures'] }) => (
  <tr>
    <th scope="row" dir="auto">
      {name}
    </th>
    <td>{figures.completed}</td>
    <td>{figures.reworked}</td>
    <td>{durationText(figures.waiting_time?.p50_seconds)}</td>
    <td>{durationText(figures.waiting_time?.p90_seconds)}</td>
    <td>{durationText(figures.cycle_time?.p50_seconds)}</td>
    <td>{durationText(figures.cycle_time?.p90_seconds)}</td>
  </tr>
);
