import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorResponse, type Lease, timestampOutput } from '@eas/contracts';
import { z } from 'zod';
import type { ApiResponse, Api } from '../api/api.ts';
import type { Log } from '../log.ts';
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
  state(): LeaseState['kind'];
};

export type KeeperParts = {
  api: Api;
  log: Log;
  /** How often answers, messages and cancels are looked for. */
  checkMs: number;
  /** Takes what a person says to the agent; it is acknowledged afterwards. */
  deliver: (order: Order) => Promise<void>;
  /** Called whenever the lease is parked or goes on. */
  onChange: () => void;
};

export function keepLease(
  parts: KeeperParts,
  claim: { lease: Lease; directives: readonly Order[] },
  response: ApiResponse,
): LeaseKeeper {
  const { api, log, checkMs, deliver, onChange } = parts;
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
    // A renewal that comes behind the end of the lease finds it gone, as it should be.
    if (isEnding && verb === 'heartbeat') return;
    const last = inbox.take(error?.directives ?? (body as { directives?: unknown } | undefined)?.directives);
    // Why a lease is lost is said by the order, not by the refusal that carries it.
    if (last) watch.enter({ kind: 'lost', reason: reasonOf(last) });
    const { expires_at: expiresAt } = leaseTimes.safeParse(body).data ?? {};
    if (error || !endingVerbs.includes(verb))
      watch.enter(
        stateAfter(watch.state(), { verb, status, expiresAt, constraint: error?.details.constraint, sentAtMs, dateMs }),
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
    const result = await api(underLease(verb, { fencing_token: token, ...body }, headers), watch.lost).catch(
      () => undefined,
    );
    if (!result) return reason();
    if (result.error && endingVerbs.includes(verb)) isEnding = false;
    absorb(verb, result);
    if (!result.error) return { kind: 'done', body: result.body };
    return watch.lost.aborted ? reason() : { kind: 'refused', error: result.error };
  }

  async function beat(): Promise<void> {
    while (!watch.over.aborted) {
      await sleep(beatMs(watch.state(), checkMs), undefined, { signal: watch.over }).catch(() => {});
      if (!watch.over.aborted && !isEnding) await call('heartbeat', {});
    }
  }

  const { lease, directives } = claim;
  // A claim may have waited for long: its lease began with the response, not when it was sent.
  absorb('claim', { ...response, sentAtMs: response.cameAtMs, body: { expires_at: lease.expires_at, directives } });
  void beat();
  const { lost, running, stop } = watch;
  return { call, state: () => watch.state().kind, lost, running, stop };
}

const leaseTimes = z.object({ expires_at: timestampOutput.nullable() });
/** Calls that end the lease: their responses have no `expires_at`. */
const endingVerbs = ['complete', 'fail', 'release', 'handoff'];
