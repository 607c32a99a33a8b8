import type { Logger } from '@eas/core';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { saveCallMark, secretCell } from '@eas/integrations';
import { callAgain, finishCall, releaseApi } from '../calls/platform-call.store.ts';
import type { TakenCall } from '../calls/platform-call.sweeper.ts';
import { findApiAccess } from './api-access.read-model.ts';
import type { CallOutcome, Target, Targets } from './target.ts';
import { errorWord, verdictOf } from './verdict.ts';

/** What became of a call, for metrics and the log. */
export type CallReport = { kind: TakenCall['kind']; outcome: string };

/** A call that takes longer than `slowMs` is slow. */
export type Calling = { targets: Targets; slowMs: number };

/** Makes a call that this process has taken, and settles it. Throws when neither the platform nor our rules are at fault. */
export async function makeCall(ctx: UseCaseContext, call: TakenCall, calling: Calling): Promise<CallReport> {
  const target = calling.targets[call.kind];
  const started = performance.now();
  const outcome = await attempt(ctx, call, target);
  const isSlow = performance.now() - started >= calling.slowMs;
  try {
    await ctx.inTransaction((tx) => settle(contextInTransaction(ctx, tx), tx, call, { target, outcome, isSlow }));
    return { kind: call.kind, outcome: nameOf(outcome) };
  } catch (error) {
    if (error instanceof LeaseLost) return { kind: call.kind, outcome: 'lease_lost' };
    throw error;
  }
}

const nameOf = (outcome: CallOutcome) => (outcome.kind === 'response' ? outcome.failure.kind : outcome.kind);

async function attempt(ctx: UseCaseContext, call: TakenCall, target: Target): Promise<CallOutcome> {
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

type Made = { target: Target; outcome: CallOutcome; isSlow: boolean };

/** Gives back the integration last: if its lease was lost, nothing of this is kept. */
async function settle(ctx: UseCaseContext, tx: Tx, call: TakenCall, made: Made): Promise<void> {
  const { integrationId, fence } = call;
  const { outcome, isSlow } = made;
  const { pausedUntil, error = null, denied = null } = await keep(ctx, tx, call, made);
  const until = pausedUntil === undefined ? null : new Date(pausedUntil);
  if (!(await releaseApi(tx, { integrationId, fence, pausedUntil: until, isSlow }))) throw new LeaseLost();
  if (outcome.kind !== 'failed') await saveCallMark(tx, { id: integrationId, error, denied });
}

/** What the integration shows, and until when it rests, in Unix milliseconds. */
type Kept = { pausedUntil?: number | undefined; error?: string | null; denied?: string | null };

async function keep(ctx: UseCaseContext, tx: Tx, call: TakenCall, { outcome, target }: Made): Promise<Kept> {
  const { restUntil } = outcome;
  switch (outcome.kind) {
    case 'done':
      await outcome.apply?.(ctx);
      await finishCall(tx, call, outcome.result ? { result: outcome.result } : {});
      return { pausedUntil: restUntil };
    case 'next':
      await outcome.apply?.(ctx);
      await callAgain(tx, call, { afterMs: outcome.afterMs ?? 0, payload: outcome.payload });
      return { pausedUntil: restUntil };
    case 'failed':
      await fail(tx, call, { target, error: outcome.reason }, ctx.logger);
      return {};
    case 'response': {
      const { failure, payload = call.payload } = outcome;
      const now = ctx.clock.now().getTime();
      const verdict = verdictOf(failure, call.attempts, now);
      if (verdict.kind === 'failed') await fail(tx, call, { target, error: verdict.error }, ctx.logger);
      else await putOff(tx, call, { ...verdict, payload, target }, ctx.logger);
      const denied = failure.kind === 'denied' ? failure.reason : null;
      return { pausedUntil: Math.max(restUntil ?? 0, now + verdict.pauseMs), error: errorWord[failure.kind], denied };
    }
  }
}

class LeaseLost extends Error {}

type Failed = { target: Target; error: string };

async function fail(tx: Tx, call: TakenCall, { target, error }: Failed, logger: Logger): Promise<void> {
  const { integrationId, kind, externalId, key } = call;
  logger.warn({ integrationId, kind, externalId, key, reason: error }, 'platform call failed');
  await finishCall(tx, call, { error });
  await target.failed?.(tx, key, error);
}

type PutOff = Parameters<typeof callAgain>[2] & Failed;

async function putOff(tx: Tx, call: TakenCall, again: PutOff, logger: Logger): Promise<void> {
  const { integrationId, kind, externalId, key } = call;
  logger.info(
    { integrationId, kind, externalId, reason: again.error, afterMs: again.afterMs },
    'platform call put off',
  );
  await callAgain(tx, call, again);
  await again.target.delayed?.(tx, key, again.error);
}
