import { hoursOf, type Performance } from '../work/performance-words.ts';

const columns = ['period', 'start', 'end', 'role', 'metric', 'value'];

/** A figure in each line; those of all roles that are shown have no role. */
export function csvOf({ period, date_range: { start, end }, tasks, agents }: Performance): string {
  const figuresOf = (figures: object) => Object.entries(figures) as [string, number | string][];
  const groups = [['', tasks] as const, ...Object.entries(agents)];
  const lines = groups.flatMap(([role, figures]) =>
    figuresOf(figures).map(([name, value]) =>
      typeof value === 'string' ? [role, `${name}_hours`, hoursOf(value)] : [role, name, value],
    ),
  );
  const rows = [columns, ...lines.map((line) => [period, start, end, ...line])];
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** Quoted where CSV asks for it. A text that a spreadsheet would take for a formula begins with a quotation mark. */
function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
