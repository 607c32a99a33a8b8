export function say(line: string): void {
  console.log(line);
}

/** Rows in aligned columns, the first row being the head. Numbers are set to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): void {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell)));
  const widths = (texts[0] ?? []).map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  texts.forEach((row, index) => {
    const cells = row.map((text, column) => {
      const isNumber = typeof (rows[index === 0 ? 1 : index]?.[column] ?? '') === 'number';
      return isNumber ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
    });
    say(`  ${cells.join('  ')}`.trimEnd());
  });
}

export function formatNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which that share of the values lies (nearest rank); NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** A share in percent; NaN of nothing. */
export const percent = (share = NaN): string => (100 * share).toFixed(1);
