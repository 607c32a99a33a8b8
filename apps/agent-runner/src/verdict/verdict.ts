import { repairText, ignoredFeedbackText } from './repair-text.ts';
import type { CheckResult, Happened, TurnEnd } from './happened.ts';
import { endsWithQuestion } from './question.ts';

/**
 * What is to be done with a task after a turn of its agent. `again`: another turn of the same session, with what is
 * wrong. `review`: completed, and then reviewed by others. `ask`: a person is asked in the name of the agent.
 */
export type Verdict =
  | { kind: 'complete' | 'review'; summary: string }
  | { kind: 'ask'; question: string }
  | { kind: 'again'; reason: string; text: string }
  | { kind: 'fail'; reason: string; isRetryable: boolean }
  | { kind: 'handoff' | 'release'; body: Record<string, unknown> };

type Rule = (happened: Happened) => Verdict | undefined;

/** The first rule that has something to say decides. */
const rulesOfScripts: readonly Rule[] = [saidFailure, badEnd, saidElsewhere];
const rulesOfAgents: readonly Rule[] = [
  ...rulesOfScripts,
  deniedTools,
  question,
  unfitChange,
  noChange,
  ignoredFeedback,
  redChecks,
  unmetAcceptance,
  unfitResult,
  failedPush,
];

/** Decides on what is known so far: a step that was not taken yet speaks neither for nor against the work. */
export function verdictOf(happened: Happened): Verdict {
  for (const rule of happened.isScript ? [...rulesOfScripts, redChecks] : rulesOfAgents) {
    const verdict = rule(happened);
    if (verdict) return verdict;
  }
  const { words, text } = happened.turn;
  return { kind: happened.hasReview ? 'review' : 'complete', summary: words.summary ?? text };
}

export const isGood = ({ kind }: Verdict): boolean => kind === 'complete' || kind === 'review';

function saidFailure({ turn: { words } }: Happened): Verdict | undefined {
  return words.fail === undefined ? undefined : { kind: 'fail', reason: words.fail, isRetryable: false };
}

function badEnd({ turn: { end, errors, text } }: Happened): Verdict | undefined {
  const why = problemOf(end);
  if (!why) return undefined;
  const said = errors.length > 0 ? errors.join('\n') : text;
  return { kind: 'fail', reason: withText(why.reason, said), isRetryable: why.isRetryable };
}

function problemOf(end: TurnEnd): { reason: string; isRetryable: boolean } | undefined {
  const retryable = (reason: string) => ({ reason, isRetryable: true });
  switch (end.kind) {
    case 'exit':
      return end.code === 0 ? undefined : retryable(`The command failed: exit code ${end.code}.`);
    case 'signal':
      return retryable(`The command failed: ended by ${end.signal}.`);
    case 'timeout':
      return retryable(`The command did not end within ${end.seconds} s.`);
    case 'error':
      return { reason: `The agent failed: ${end.message}`, isRetryable: end.isFinal !== true };
    case 'stop':
      if (end.reason === 'end_turn') return undefined;
      if (end.reason === 'refusal') return { reason: 'The model refused the task.', isRetryable: false };
      return retryable(`The agent stopped before it was done: ${end.reason}.`);
  }
}

function saidElsewhere({ turn: { words } }: Happened): Verdict | undefined {
  if (words.handoff) return { kind: 'handoff', body: words.handoff };
  return words.release ? { kind: 'release', body: words.release } : undefined;
}

function deniedTools({ turn: { denied, text }, work }: Happened): Verdict | undefined {
  if (denied.length === 0) return undefined;
  const names = [...new Set(denied)].join(', ');
  if (work?.change === 'new')
    return { kind: 'ask', question: withText(`I was not allowed to use ${names}. How should I go on?`, text) };
  const reason = withText(`The agent was not allowed to use ${names}, and changed nothing.`, text);
  return { kind: 'fail', reason, isRetryable: false };
}

function question({ turn: { words, text } }: Happened): Verdict | undefined {
  const last = words.summary ?? text;
  return endsWithQuestion(last) ? { kind: 'ask', question: last } : undefined;
}

function unfitChange(happened: Happened): Verdict | undefined {
  const problems = happened.work?.problems ?? [];
  if (problems.length === 0) return undefined;
  const reason = `The changes cannot be committed: ${problems.join(' ')}`;
  return againOrFail(happened, { reason, text: repairText({ problems, checks: [], missing: [] }) });
}

function noChange({ turn: { words, text }, work }: Happened): Verdict | undefined {
  if (!work?.isCodeAsked || work.change !== 'none') return undefined;
  const reason = withText('The agent changed nothing.', words.summary ?? text);
  return { kind: 'fail', reason, isRetryable: true };
}

/** Once: if the feedback requires no change, its last message explains why. */
function ignoredFeedback({ hasFeedback, work, rounds }: Happened): Verdict | undefined {
  if (!hasFeedback || !work?.isCodeAsked || work.change !== 'earlier' || rounds.used > 0 || rounds.max === 0)
    return undefined;
  const reason = 'The agent got messages about its work, and changed nothing.';
  return { kind: 'again', reason, text: ignoredFeedbackText };
}

export const isRed = ({ code, isTimedOut }: CheckResult): boolean => code !== 0 || isTimedOut;

function redChecks(happened: Happened): Verdict | undefined {
  const checks = happened.work?.checks.filter(isRed) ?? [];
  if (checks.length === 0) return undefined;
  const reason = withText(`These checks failed: ${checks.map(({ name }) => name).join(', ')}.`, checks[0]?.tail ?? '');
  return againOrFail(happened, { reason, text: repairText({ problems: [], checks, missing: [] }) });
}

function unmetAcceptance(happened: Happened): Verdict | undefined {
  const { missing } = happened;
  if (missing.length === 0) return undefined;
  const reason = `The task requires artifacts that are missing: ${missing.join(', ')}.`;
  return againOrFail(happened, { reason, text: repairText({ problems: [], checks: [], missing }) });
}

function unfitResult(happened: Happened): Verdict | undefined {
  const { resultProblem: result } = happened.turn;
  if (result === undefined) return undefined;
  const reason = `The task requires a result: ${result}.`;
  return againOrFail(happened, { reason, text: repairText({ problems: [], checks: [], missing: [], result }) });
}

function failedPush({ work }: Happened): Verdict | undefined {
  const push = work?.push;
  if (!push || push.kind === 'pushed' || push.kind === 'off') return undefined;
  return { kind: 'fail', reason: push.message, isRetryable: push.kind !== 'refused' };
}

/** Sent back up to the maximum number of rounds; after that the task has failed, and may be retried later. */
function againOrFail({ rounds }: Happened, { reason, text }: { reason: string; text: string }): Verdict {
  if (rounds.used < rounds.max) return { kind: 'again', reason, text };
  return { kind: 'fail', reason, isRetryable: true };
}

const withText = (sentence: string, text: string) => (text.trim() === '' ? sentence : `${sentence}\n${text}`);
