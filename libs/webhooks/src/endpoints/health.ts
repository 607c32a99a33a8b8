/** How an endpoint's attempts have gone; times by the database's clock. */
export type Health = {
  status: string;
  /** Failed attempts since the last success. */
  failuresInRow: number;
  /** When the first of these was made. */
  failingSince: Date | null;
  /** Its tenant is suspended: whatever attempts come to, it stays paused. */
  isHeld?: boolean;
};

/** The reason of the status of endpoints whose tenant is suspended. */
export const heldReason = 'tenant_suspended';

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
export function afterAttempts(health: Health, tally: Tally): Health {
  const { failuresInRow, failingSince } = health;
  const { succeededAt, failures, firstFailedAt } = tally;
  const isNewer = succeededAt !== null && (failingSince === null || succeededAt >= failingSince);
  if (isNewer) return { ...health, failuresInRow: failures, failingSince: firstFailedAt };
  return { ...health, failuresInRow: failuresInRow + failures, failingSince: failingSince ?? firstFailedAt };
}

/**
 * The next status of an endpoint: active → failing → paused, and active again after a success. A disabled one stays
 * disabled, a held one paused. Undefined: nothing changes.
 */
export function changeOf(
  { status, failuresInRow, failingSince, isHeld = false }: Health,
  now: Date,
): HealthChange | undefined {
  if (status === 'disabled' || isHeld) return undefined;
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
