import { createHash } from 'node:crypto';
import type { NewArtifact } from '@eas/contracts';
import { cutText } from '../clean-text.ts';
import type { LeaseKeeper } from '../lease/lease-keeper.ts';
import type { Log } from '../log.ts';
import type { LastWords } from '../verdict/happened.ts';
import type { Verdict } from '../verdict/verdict.ts';

export type LastCall = { verb: 'complete' | 'fail' | 'release' | 'handoff'; body: Record<string, unknown> };

/** Verdicts that end the attempt. */
export type FinalVerdict = Exclude<Verdict, { kind: 'ask' | 'again' }>;

const maxReasonLength = 2_000;

export function lastCallOf(verdict: FinalVerdict, { result, scores }: LastWords): LastCall {
  switch (verdict.kind) {
    case 'fail':
      return {
        verb: 'fail',
        body: { reason: cutText(verdict.reason, maxReasonLength), retryable: verdict.isRetryable },
      };
    case 'handoff':
    case 'release':
      return { verb: verdict.kind, body: verdict.body };
    case 'complete':
    case 'review': {
      const { summary } = verdict;
      return {
        verb: 'complete',
        body: { ...(summary === '' ? {} : { summary: cutText(summary) }), result, scores },
      };
    }
  }
}

/** Reports to the service how the attempt ended. What it refuses has failed. Returns the result, for the log. */
export async function report(keeper: LeaseKeeper, call: LastCall): Promise<string> {
  const result = await keeper.call(call.verb, call.body);
  if (result.kind === 'done') return call.verb;
  if (result.kind === 'lost') return `stopped: ${result.reason}`;
  const reason = `${call.verb} was refused: ${result.error.message}`;
  if (call.verb !== 'fail' && call.verb !== 'release') {
    const failed = { kind: 'fail', reason: `The command's ${reason}`, isRetryable: true } as const;
    const { verb, body } = lastCallOf(failed, {});
    await keeper.call(verb, body);
  }
  return reason;
}

type Known = { kind: string; title: string | null };

/** Attaches artifacts that no attempt has attached yet, each once however often the call is sent. */
export async function attach(
  keeper: LeaseKeeper,
  artifacts: readonly NewArtifact[],
  { known, log }: { known: readonly Known[]; log: Log },
): Promise<void> {
  for (const artifact of artifacts) {
    const { kind, title = null } = artifact;
    if (known.some((other) => other.kind === kind && other.title === title)) continue;
    const key = createHash('sha256')
      .update(JSON.stringify([kind, title]))
      .digest('hex');
    const result = await keeper.call('artifacts', artifact, { 'Idempotency-Key': key });
    if (result.kind === 'refused') log(`${kind} was not attached: ${result.error.message}`);
  }
}
