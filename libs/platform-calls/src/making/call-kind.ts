import type { Tx, UseCaseContext } from '@eas/db';
import { saveCallMark, secretCell } from '@eas/integrations';
import { type Claimed, type Sent, slowMs as usualSlowMs, type TargetKind, type Verdict } from '@eas/outbound';
import { paceOf } from '../calls/call-pace.ts';
import { type PlatformApi, platformApis, type PlatformCall, platformCalls } from '../calls/call-tables.ts';
import type { TakenCall } from '../calls/platform-call.ts';
import { findApiAccess } from './api-access.read-model.ts';
import type { CallOutcome, Target, Targets } from './target.ts';
import { errorWord, verdictOf } from './verdict.ts';

const slots = 16;

/** Calls of a process at a time, at most: those in slots, and slow ones that have left theirs. */
export const mostPlatformCalls = (deadlineMs: number): number => slots * Math.ceil(deadlineMs / usualSlowMs);

/** Calls to the APIs of platforms, one at a time of an integration. One that takes longer than `slowMs` is slow. */
export const callKind = (
  targets: Targets,
  slowMs = usualSlowMs,
): TargetKind<PlatformApi, PlatformCall, CallOutcome> => ({
  log: {
    failed: 'platform call failed',
    putOff: 'platform call put off',
    lost: 'platform call not recorded, lease was lost',
    broken: 'platform call could not be settled',
  },
  destinations: platformApis,
  messages: platformCalls,
  // Longer than any call takes.
  limits: { claimMs: 60_000, slots, ofTenant: 4, slowMs, slotsForSlow: 8 },
  pace({ destination: { slotAt }, message: { rank } }, now) {
    const pace = paceOf({ now: now.getTime(), slotAt: slotAt.getTime() }, rank);
    return pace.mayCall ? { set: { slotAt: new Date(pace.slotAt) } } : { notBefore: new Date(pace.at) };
  },
  request: (ctx, { message, attempts }) => makeCall(ctx, { ...message, attempts }, targets[message.kind]),
  judge,
  apply: (ctx, tx, sent, settle) => apply(ctx, tx, { ...sent, target: targets[sent.claimed.message.kind] }, settle),
});

async function makeCall(ctx: UseCaseContext, call: TakenCall, target: Target): Promise<CallOutcome> {
  const access = await findApiAccess(ctx, call.integrationId);
  if (!access) return { kind: 'failed', reason: 'the integration is deleted or disconnected' };
  if (access.token === null) return { kind: 'failed', reason: 'the integration has no token' };
  const token = openToken(ctx, call.integrationId, access.token);
  if (token === undefined) return { kind: 'failed', reason: 'the key that encrypted the token is missing' };
  return target.request(ctx, call, { ...access, token });
}

function openToken(ctx: UseCaseContext, integrationId: string, sealed: string): string | undefined {
  try {
    return ctx.secrets.open(sealed, secretCell(ctx.tenantId, integrationId, 'token'));
  } catch {
    return undefined;
  }
}

type CallVerdict = Verdict<PlatformApi, PlatformCall>;

function judge(outcome: CallOutcome, { attempts }: Claimed<PlatformApi, PlatformCall>, at: Date): CallVerdict {
  const now = at.getTime();
  const restMs = outcome.restUntil === undefined ? 0 : Math.max(outcome.restUntil - now, 0);
  switch (outcome.kind) {
    case 'done':
      return { outcome: 'done', state: 'sent', message: { result: outcome.result ?? null }, pauseMs: restMs };
    case 'next': {
      const { payload, afterMs } = outcome;
      return { outcome: 'next', state: 'waiting', afterMs, message: { payload }, pauseMs: restMs };
    }
    case 'failed':
      return { outcome: 'failed', state: 'failed', error: outcome.reason };
    case 'response': {
      const { failure, payload } = outcome;
      const { pauseMs, ...verdict } = verdictOf(failure, attempts, now);
      return { outcome: failure.kind, ...verdict, message: { payload }, pauseMs: Math.max(restMs, pauseMs) };
    }
  }
}

async function apply(
  ctx: UseCaseContext,
  tx: Tx,
  { claimed, response: outcome, verdict, target }: Sent<PlatformApi, PlatformCall, CallOutcome> & { target: Target },
  settle: () => Promise<void>,
): Promise<void> {
  const { integrationId: id, key } = claimed.message;
  const { state, error } = verdict;
  if (outcome.kind === 'done' || outcome.kind === 'next') await outcome.apply?.(ctx);
  if (error !== undefined) await (state === 'failed' ? target.failed : target.delayed)?.(tx, key, error);
  // Before the API, as changes of the integration do.
  if (outcome.kind !== 'failed') await saveCallMark(tx, { id, ...markOf(outcome) });
  await settle();
}

/** What the integration shows. */
function markOf(outcome: CallOutcome): { error: string | null; denied: string | null } {
  if (outcome.kind !== 'response') return { error: null, denied: null };
  const { failure } = outcome;
  return { error: errorWord[failure.kind], denied: failure.kind === 'denied' ? failure.reason : null };
}
