import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { CallFacts, Usage } from './wire-formats.ts';

const decision = z.looseObject({ allowed: z.boolean(), reason: z.string().nullable(), wait_ms: z.number().nullable() });

/** A call that may begin, or why it may not. `end`: what it used; undefined: unknown, and it counts as estimated. */
export type Gate = { end(usage: Usage | undefined): Promise<void> } | { refusal: string; isBudget: boolean };

const maxModelName = 200;
const nothing: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** What a call that failed used. */
export const unused = nothing;

/** Asks the service whether a call may begin, and again while it depends on calls that run. Throws when the signal aborts. */
export async function passBudgets(
  keeper: Pick<LeaseKeeper, 'call' | 'report'>,
  { model, maxOutput, input }: CallFacts & { input: number },
  signal: AbortSignal,
): Promise<Gate> {
  const call = { call_id: randomUUID(), model: model.slice(0, maxModelName) };
  for (;;) {
    const result = await keeper.call('model-calls', { ...call, input_tokens: input, max_output_tokens: maxOutput });
    if (result.kind === 'lost') return refusedBy(`The task is no longer worked on here: ${result.reason}.`);
    if (result.kind === 'refused') return refusedBy(`The service refused the call: ${result.error.message}`);
    const { allowed, reason, wait_ms: waitMs } = decision.parse(result.body);
    if (allowed) return { end: (usage) => report(keeper, call, usage) };
    if (waitMs === null) return { refusal: reason ?? 'A budget of the task is used up.', isBudget: true };
    await sleep(waitMs, undefined, { signal });
  }
}

const refusedBy = (refusal: string): Gate => ({ refusal, isBudget: false });

async function report(keeper: Pick<LeaseKeeper, 'report'>, call: object, usage: Usage | undefined): Promise<void> {
  if (!usage) return;
  const { input, output, cacheRead, cacheWrite } = usage;
  await keeper.report('model-calls/usage', {
    ...call,
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
  });
}
