/** How an endpoint's attempts have gone; times by the database's clock. */
export type Health = {
  status: string;
  /** Failed attempts since the last success. */
  failuresInRow: number;
  /** When the first of these was made. */
  failingSince: Date | null;
};

/** The result of the attempts of one job: a success, and the failures after the last one. */
export type Tally = {
  /** When its last success began. */
  succeededAt: Date | null;
  failures: number;
  firstFailedAt: Date | null;
};

export type HealthChange = {
  status: 'active' | 'failing' | 'paused';
  type: 'webhook.recovered' | 'webhook.failing' | 'webhook.paused';
};

const hourMs = 3_600_000;
/** With this many failed attempts in a row it counts as failing. */
const failingAfter = 5;
/** Failures in a row that pause it once they are spread over an hour. */
const pausedAfter = 100;
const pausedAfterMs = hourMs;
/** Without a success for that long it is paused, however few the attempts were. */
const pausedWithoutSuccessMs = 72 * hourMs;

/**
 * A success ends the streak of failures, unless it began before the first of them, which other jobs recorded in the
 * meantime.
 */
export function afterAttempts({ status, failuresInRow, failingSince }: Health, tally: Tally): Health {
  const { succeededAt, failures, firstFailedAt } = tally;
  const isNewer = succeededAt !== null && (failingSince === null || succeededAt >= failingSince);
  if (isNewer) return { status, failuresInRow: failures, failingSince: firstFailedAt };
  return { status, failuresInRow: failuresInRow + failures, failingSince: failingSince ?? firstFailedAt };
}

/**
 * The next status of an endpoint: active → failing → paused, and active again after a success. A disabled one stays
 * disabled. Undefined: nothing changes.
 */
export function changeOf({ status, failuresInRow, failingSince }: Health, now: Date): HealthChange | undefined {
  if (status === 'disabled') return undefined;
  if (status === 'paused') return failuresInRow === 0 ? recovered : undefined;
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  const hasFailedLong = failingMs >= pausedWithoutSuccessMs;
  const hasFailedOften = failuresInRow >= pausedAfter && failingMs >= pausedAfterMs;
  if (hasFailedLong || hasFailedOften) return { status: 'paused', type: 'webhook.paused' };
  if (status === 'active') return failuresInRow >= failingAfter ? failing : undefined;
  return failuresInRow === 0 ? recovered : undefined;
}

const recovered: HealthChange = { status: 'active', type: 'webhook.recovered' };
const failing: HealthChange = { status: 'failing', type: 'webhook.failing' };

const minuteMs = 60_000;
const firstProbeMs = 5 * minuteMs;
const maxProbeMs = 60 * minuteMs;

/** Wait before the probe after `probes` others, in ms: 5, 10, 20, 40 minutes, then an hour each. */
export function probeGapMs(probes: number): number {
  return Math.min(firstProbeMs * 2 ** Math.min(probes, 10), maxProbeMs);
}
