import type { Schemas } from '../api/client.ts';
import { hoursOf, type Performance } from '../resources/performance-words.ts';

const columns = ['period', 'start', 'end', 'role', 'metric', 'value'];

type Series = Schemas['PerformanceSeries'];

/** A known figure in each line; figures of all shown roles have no role, figures of an hour or day have no end. */
export function csvOf({ period, date_range: { start, end }, tasks, agents }: Performance, series?: Series): string {
  const groups = [['', tasks] as const, ...Object.entries(agents)];
  const lines = groups.flatMap(([role, figures]) =>
    figuresOf(figures).flatMap(([name, value]) => (value === null ? [] : [[role, name, value]])),
  );
  const overTime = (series?.points ?? []).flatMap(({ at, ...figures }) =>
    Object.entries(figures).map(([name, value]) => [series?.interval ?? '', at, '', '', name, value ?? '']),
  );
  const rows = [columns, ...lines.map((line) => [period, start, end, ...line]), ...overTime];
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** Counts, the mean time in hours, and the mean scores of a role. */
function figuresOf(figures: Performance['tasks'] | Performance['agents'][string]): [string, number | null][] {
  const { avg_completion_time: _, avg_completion_seconds: seconds, ...rest } = figures;
  const { scores = {}, ...counts } = { scores: undefined, ...rest };
  return Object.entries({ ...counts, avg_completion_time_hours: hoursOf(seconds), ...scores });
}

/** Quoted where CSV requires it. A text that a spreadsheet would read as a formula begins with a quotation mark. */
function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
