const startedAt = performance.now();

export function say(line: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(2);
  console.log(`${seconds.padStart(7)} s  ${line}`);
}

/** Columns; the first is text, the others are numbers or words set to the right. */
export function table(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((text, column) =>
      column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
    );
    console.log(`           ${cells.join('  ')}`.trimEnd());
  }
}

export function milliseconds(value: number | undefined): string {
  return value === undefined ? '-' : `${Math.max(0, value).toFixed(0)} ms`;
}

export function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
