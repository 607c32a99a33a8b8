import { ResultTooLarge } from './db.ts';

/** The error of Postgres: SQL fails with it, Prisma with one whose cause it is. Undefined for any other error. */
function reportOf(error: unknown): { code?: unknown; constraint?: unknown; where?: unknown } {
  if (!(error instanceof Error)) return {};
  const report: Error & { code?: unknown } = error;
  return report.code === undefined && error.cause instanceof Error ? reportOf(error.cause) : report;
}

/**
 * The SQLSTATE of an error of Postgres, such as 25006; undefined for any other error. Prisma's own codes begin with P1
 * to P6.
 */
export function sqlStateOf(error: unknown): string | undefined {
  const { code } = reportOf(error);
  return typeof code === 'string' && /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Name of the constraint that a statement broke, or undefined for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  const { code, constraint } = reportOf(error);
  return typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string' ? constraint : undefined;
}

/** Whether Postgres cancelled a statement because of its `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  return reportOf(error).code === '57014';
}

/** Whether Postgres aborted the transaction because of a deadlock: a retry may succeed. */
export function isDeadlock(error: unknown): boolean {
  return reportOf(error).code === '40P01';
}

/** Invalid data, broken constraints, limits of a statement, errors raised by SQL functions. */
const classesOfRows: readonly string[] = ['22', '23', '54', 'P0'];
/** Statements that Postgres cancelled for others: a smaller retry may succeed. */
const brokenOff: readonly string[] = ['40001', '40P01'];

/** Whether the values of a single row can have caused the error: without that row the statement may succeed. */
export function isErrorOfRow(error: unknown): boolean {
  if (error instanceof ResultTooLarge) return true;
  const { code } = reportOf(error);
  if (typeof code !== 'string' || code.length !== 5) return false;
  return classesOfRows.includes(code.slice(0, 2)) || brokenOff.includes(code);
}

/**
 * Whether a statement waited in vain for the lock of a table, which VACUUM FULL or ALTER TABLE may hold for long. For
 * the lock of a row Postgres names the tuple.
 */
export function isTableLockTimeout(error: unknown): boolean {
  const { code, where } = reportOf(error);
  return code === '55P03' && !(typeof where === 'string' && /\btuple\b/.test(where));
}
