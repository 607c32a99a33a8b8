import { say } from '../terminal.ts';

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell | readonly string[]>>;

/** Longer texts are cut in columns, not in JSON. */
const widest = 60;

/** Rows as columns under their names, or as one JSON array. Times and ids are never cut, so that they can be copied. */
export function printRows(
  rows: readonly Row[],
  { columns, json }: { columns: readonly string[]; json?: boolean | undefined },
): void {
  if (json) return say(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return say('none');
  const lines = [columns, ...rows.map((row) => columns.map((name) => textOf(row[name] ?? null)))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)));
  for (const line of lines)
    say(
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function textOf(value: Cell | readonly string[]): string {
  const text = value === null ? '-' : Array.isArray(value) ? value.join(',') : String(value);
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > widest ? `${line.slice(0, widest - 1)}…` : line;
}
