import { waitForAll } from '@eas/core';
import type { UseCaseContext } from '@eas/db';

/** How claimed messages `C` of a kind are sent. `R`: what comes back; `V`: what that means. */
export type Sending<C, R, V> = {
  /** Undefined: the end of the process cut it off. It is no attempt. */
  request(ctx: UseCaseContext, claimed: C, startedAt: Date): Promise<R | undefined>;
  judge(response: R, claimed: C, now: Date): V;
  /** Records an attempt with its effects. */
  settle(ctx: UseCaseContext, attempt: Attempt<C, R, V>): Promise<void>;
};

/** `durationMs`: of the request. */
export type Attempt<C, R, V> = {
  claimed: C;
  response: R;
  verdict: V;
  startedAt: Date;
  endedAt: Date;
  durationMs: number;
};

type SendingOrder = {
  /** Requests at a time. */
  atATime: number;
  /** False: no other request starts. */
  mayStart(): boolean;
};

const oneByOne: SendingOrder = { atATime: 1, mayStart: () => true };

/**
 * Sends claimed messages in their order and records each attempt. `unsent` were not started, or cut off. Rejects when an
 * attempt could not be recorded; the others are over by then.
 */
export async function sendClaimed<C, R, V>(
  ctx: UseCaseContext,
  { request, judge, settle }: Sending<C, R, V>,
  claimed: readonly C[],
  { atATime, mayStart }: SendingOrder = oneByOne,
): Promise<{ attempts: Attempt<C, R, V>[]; unsent: C[] }> {
  const attempts: Attempt<C, R, V>[] = [];
  const unsent: C[] = [];
  const waiting = claimed.values();

  async function send(message: C): Promise<void> {
    const [startedAt, startedMs] = [ctx.clock.now(), ctx.clock.monotonicMs()];
    const response = mayStart() ? await request(ctx, message, startedAt) : undefined;
    if (response === undefined) return void unsent.push(message);
    const durationMs = ctx.clock.monotonicMs() - startedMs;
    const endedAt = ctx.clock.now();
    const verdict = judge(response, message, endedAt);
    const attempt = { claimed: message, response, verdict, startedAt, endedAt, durationMs };
    await settle(ctx, attempt);
    attempts.push(attempt);
  }
  const sendInTurn = async () => {
    for (const message of waiting) await send(message);
  };
  await waitForAll(Array.from({ length: atATime }, sendInTurn));
  return { attempts, unsent };
}
