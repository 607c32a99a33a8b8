import type { Schemas } from '../api/client.ts';
import { hoursOf, type Performance } from '../resources/performance-words.ts';

const columns = ['period', 'start', 'end', 'role', 'metric', 'value'];

type Series = Schemas['PerformanceSeries'];

/** A figure in each line; those of all roles that are shown have no role. Those of an hour or day have no end. */
export function csvOf({ period, date_range: { start, end }, tasks, agents }: Performance, series?: Series): string {
  const figuresOf = (figures: object) => Object.entries(figures) as [string, number | string][];
  const groups = [['', tasks] as const, ...Object.entries(agents)];
  const lines = groups.flatMap(([role, figures]) =>
    figuresOf(figures).map(([name, value]) =>
      typeof value === 'string' ? [role, `${name}_hours`, hoursOf(value)] : [role, name, value],
    ),
  );
  const overTime = (series?.points ?? []).flatMap(({ at, ...figures }) =>
    figuresOf(figures).map(([name, value]) => [series?.interval ?? '', at, '', '', name, value ?? '']),
  );
  const rows = [columns, ...lines.map((line) => [period, start, end, ...line]), ...overTime];
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** Quoted where CSV asks for it. A text that a spreadsheet would take for a formula begins with a quotation mark. */
function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
