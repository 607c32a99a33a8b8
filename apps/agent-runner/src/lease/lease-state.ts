/** `running` until a time of performance.now(); `parked` while a person is asked; `answered`: no slot yet to go on. */
export type LeaseState =
  | { kind: 'running'; untilMs: number; lengthMs: number }
  | { kind: 'parked' }
  | { kind: 'answered' }
  | { kind: 'lost'; reason: string };

export type LeaseUpdate = {
  verb: string;
  status: number;
  expiresAt: string | null | undefined;
  /** Of a refusal. */
  field: string | undefined;
  constraint: string | undefined;
  sentAtMs: number;
  dateMs: number;
};

/**
 * The state after a response. The lease is measured from the moment of the call by the service's own clock, so it does
 * not matter what time it is here, and it never seems longer than it is by more than a second: dates have no fractions.
 */
export function stateAfter(state: LeaseState, update: LeaseUpdate): LeaseState {
  const { verb, status, expiresAt, field, constraint, sentAtMs, dateMs } = update;
  if (state.kind === 'lost') return state;
  if (constraint === 'lease_lost') return { kind: 'lost', reason: 'the lease is lost' };
  if (verb === 'heartbeat' && [401, 403, 404].includes(status))
    return { kind: 'lost', reason: `the service responded with ${status} for the lease` };
  // Not of what the service refuses because too many requests wait there.
  if (constraint === 'limit' && field !== 'wait_seconds' && state.kind !== 'running') return { kind: 'answered' };
  if (status >= 300 || expiresAt === undefined) return state;
  if (expiresAt === null) return { kind: 'parked' };
  const lengthMs = Math.max(0, Date.parse(expiresAt) - dateMs);
  const untilMs = sentAtMs + lengthMs;
  // Responses may come out of order: the latest expiry counts.
  return state.kind === 'running' && state.untilMs > untilMs ? state : { kind: 'running', untilMs, lengthMs };
}

/** The interval at which the lease is renewed and the inbox is read. */
export function beatMs(state: LeaseState, checkMs: number): number {
  return state.kind === 'running' ? Math.min(checkMs, state.lengthMs / 3) : checkMs;
}
