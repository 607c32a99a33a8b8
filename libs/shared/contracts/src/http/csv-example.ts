/** An example of a CSV response; its cells need no quotes. */
export const csvExample = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.join(',')}\r\n`).join('');
