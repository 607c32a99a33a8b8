/** Process time, for durations and log lines only: leases, due times and sweeps compare with the database's clock. */
export type Clock = {
  now(): Date;
  /** Milliseconds of a clock that never goes back; differences only. */
  monotonicMs(): number;
};

/** RFC 3339 in UTC with `Z`; a fraction only when it is not zero. */
export function formatTimestamp(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z');
}

/** Milliseconds as the interface's `<number>h`, one decimal at most: 5_400_000 → "1.5h". */
export function formatHours(durationMs: number): string {
  return `${Math.round(durationMs / 360_000) / 10}h`;
}
