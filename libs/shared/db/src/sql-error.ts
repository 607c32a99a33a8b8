/** Name of the constraint that a statement broke, or undefined for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  return typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string' ? constraint : undefined;
}

/** Whether Postgres broke the transaction off because it and others waited for each other: begun again, it may pass. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (error as Error & { code?: unknown }).code === '40P01';
}
