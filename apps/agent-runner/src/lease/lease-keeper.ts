import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorResponse, type Lease, timestampOutput } from '@eas/contracts';
import { z } from 'zod';
import type { ApiResponse, Api } from '../api/api.ts';
import type { Log } from '../log.ts';
import type { Mask } from '../key/mask.ts';
import { openInbox, type Order, reasonOf } from './inbox.ts';
import { beatMs, type LeaseState, stateAfter } from './lease-state.ts';
import { type LeaseWatch, watchLease } from './lease-watch.ts';

export type CallResult =
  | { kind: 'done'; body: unknown }
  | { kind: 'refused'; error: ErrorResponse['error'] }
  | { kind: 'lost'; reason: string };

export type LeaseKeeper = Pick<LeaseWatch, 'lost' | 'running' | 'stop'> & {
  /** A call under the lease, tried until the service responds. */
  call(verb: string, body: object, headers?: Record<string, string>): Promise<CallResult>;
  /** Reports under the lease what has happened, also when it is lost; tried for a minute. Gives the response, if any came. */
  report(verb: string, body: object): Promise<unknown>;
  state(): LeaseState['kind'];
};

export type KeeperParts = {
  api: Api;
  log: Log;
  /** Hides secrets in what the agent says. */
  mask: Mask;
  /** The interval of polling for answers, messages and cancels. */
  checkMs: number;
  /** Receives a message of a person to the agent; it is acknowledged afterwards. */
  deliver: (order: Order) => Promise<void>;
  /** Called whenever the lease is parked or goes on. */
  onChange: () => void;
};

export function keepLease(
  parts: KeeperParts,
  claim: { lease: Lease; directives: readonly Order[] },
  response: ApiResponse,
): LeaseKeeper {
  const { api, log, mask, checkMs, deliver, onChange } = parts;
  const { lease_id: id, fencing_token: token } = claim.lease;
  const watch = watchLease({ kind: 'running', untilMs: response.cameAtMs, lengthMs: 0 }, onChange);
  let isEnding = false;
  const inbox = openInbox({
    deliver,
    log,
    async acknowledge(ids) {
      const body = { fencing_token: token, directive_ids: ids };
      absorb('acknowledge', await api(underLease('acknowledge', body), AbortSignal.timeout(checkMs + 5_000)));
    },
  });

  function absorb(verb: string, { status, body, error, sentAtMs, dateMs }: ApiResponse): void {
    // A renewal after the end of the lease fails, as expected.
    if (isEnding && verb === 'heartbeat') return;
    const last = inbox.take(error?.directives ?? (body as { directives?: unknown } | undefined)?.directives);
    // The reason of a lost lease is in the directive, not in the error that contains it.
    if (last) watch.enter({ kind: 'lost', reason: reasonOf(last) });
    const { expires_at: expiresAt } = leaseTimes.safeParse(body).data ?? {};
    if (error || !endingVerbs.includes(verb))
      watch.enter(
        stateAfter(watch.state(), {
          verb,
          status,
          expiresAt,
          field: error?.details.field,
          constraint: error?.details.constraint,
          sentAtMs,
          dateMs,
        }),
      );
  }

  const underLease = (verb: string, body: object, headers: Record<string, string> = {}) => ({
    method: 'POST' as const,
    path: `/v1/leases/${id}/${verb}`,
    body,
    headers,
    maxDelayMs: checkMs,
  });

  async function call(verb: string, body: object, headers?: Record<string, string>): Promise<CallResult> {
    const reason = () => ({ kind: 'lost' as const, reason: String(watch.lost.reason) });
    if (watch.lost.aborted) return reason();
    if (endingVerbs.includes(verb)) isEnding = true;
    // A pending wait for a person would keep the process alive.
    // Patches, branches and addresses stay what they are.
    const said = verb === 'artifacts' ? body : mask.all(body);
    const result = await api(underLease(verb, { fencing_token: token, ...said }, headers), watch.over).catch(
      () => undefined,
    );
    if (!result) return reason();
    if (result.error && endingVerbs.includes(verb)) isEnding = false;
    // What waited is renewed when it responds.
    absorb(verb, 'wait_seconds' in body ? { ...result, sentAtMs: result.cameAtMs } : result);
    if (!result.error) return { kind: 'done', body: result.body };
    return watch.lost.aborted ? reason() : { kind: 'refused', error: result.error };
  }

  async function report(verb: string, body: object): Promise<unknown> {
    const sent = api(underLease(verb, { fencing_token: token, ...body }), AbortSignal.timeout(reportMs));
    const result = await sent.catch(() => undefined);
    if (result && !watch.over.aborted) absorb(verb, result);
    return result?.body;
  }

  const { lease, directives } = claim;
  // A claim may have waited for long: its lease began with the response, not when it was sent.
  absorb('claim', { ...response, sentAtMs: response.cameAtMs, body: { expires_at: lease.expires_at, directives } });
  void beat({ watch, checkMs, call, isEnding: () => isEnding });
  const { lost, running, stop } = watch;
  return { call, report, state: () => watch.state().kind, lost, running, stop };
}

const reportMs = 60_000;
/** Longest wait in one call: well below what a call may take. */
const waitSeconds = 30;
/** A response that comes sooner has not waited. */
const shortMs = 1_000;
type Beating = Pick<LeaseKeeper, 'call'> & { watch: LeaseWatch; checkMs: number; isEnding: () => boolean };

/** Renews the lease and polls for directives, until the lease ends. */
async function beat(beating: Beating): Promise<void> {
  const { watch, checkMs, call, isEnding } = beating;
  while (!watch.over.aborted) {
    if (watch.state().kind === 'parked') await awaitPerson(beating);
    const isDue = await pause(watch, beatMs(watch.state(), checkMs));
    if (isDue && !isEnding()) await call('heartbeat', {});
  }
}

/** False: another state was entered before. An agent that has just asked may be answered at once. */
async function pause(watch: LeaseWatch, ms: number): Promise<boolean> {
  const changed = new AbortController();
  void watch.changed().then(() => changed.abort());
  const signal = AbortSignal.any([watch.over, changed.signal]);
  return sleep(ms, true, { signal }).catch(() => false);
}

/** While a person is asked the service responds as soon as there is an answer; where it cannot, it is asked by beats. */
async function awaitPerson({ watch, call }: Beating): Promise<void> {
  for (let isWaiting = true; isWaiting && watch.state().kind === 'parked';) {
    const sentAtMs = performance.now();
    const { kind } = await call('acknowledge', { wait_seconds: waitSeconds });
    isWaiting = kind === 'done' && performance.now() - sentAtMs > shortMs;
  }
}

const leaseTimes = z.object({ expires_at: timestampOutput.nullable() });
/** Calls that end the lease: their responses have no `expires_at`. */
const endingVerbs = ['complete', 'fail', 'release', 'handoff'];
