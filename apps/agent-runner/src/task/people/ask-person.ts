import { askedQuestion } from '../../agent/handle-line.ts';
import { cutText } from '../../clean-text.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import type { AttemptEnd, OpenAttempt } from '../attempt-parts.ts';
import { forgetTurn } from '../saved-turn.ts';

type Asked = { id: string } | { end: AttemptEnd };

/** Asks a person in the name of the agent; gives the end of the attempt when that is not possible. */
export async function ask(
  { keeper, mailbox, taskFolder }: OpenAttempt,
  { kind, prompt }: { kind: 'question' | 'approval'; prompt: string },
): Promise<Asked> {
  // What a person says is new for the agent: its turn is over.
  await forgetTurn(taskFolder);
  const result = await keeper.call('inputs', { kind, prompt: cutText(prompt) });
  if (result.kind === 'lost') return { end: { stopped: 'lost' } };
  if (result.kind === 'refused') {
    const reason = `The agent asked, and the question was refused (${result.error.message}):\n${prompt}`;
    return { end: { verdict: { kind: 'fail', reason, isRetryable: true }, words: {}, artifacts: [] } };
  }
  const asked = askedQuestion(result);
  if (asked) mailbox.keepAsked(asked);
  return { id: asked?.id ?? '' };
}

/** Undefined: the work goes on. */
export async function untilAnswered({
  keeper,
  cut,
}: Pick<OpenAttempt, 'keeper' | 'cut'>): Promise<AttemptEnd | undefined> {
  await keeper.running(cut);
  if (keeper.state() === 'running') return undefined;
  return { stopped: keeper.lost.aborted ? 'lost' : 'cut' };
}

/**
 * Why the work cannot go on without more of a budget. An agent whose last call was refused may end its turn as if its work
 * was done; what a command says of itself counts.
 */
export function budgetNeeded({ agent, budgetStop }: OpenAttempt, { kind }: Verdict): string | undefined {
  const { refused, exhausted } = budgetStop;
  if (kind === 'again' || kind === 'fail') return refused ?? exhausted;
  return (kind === 'complete' || kind === 'review') && !agent.isCommand ? refused : undefined;
}

/** Asks a person whether the work goes on without what the budget has left. Gives the end of the attempt if it does not. */
export async function askForBudget(attempt: OpenAttempt, reason: string): Promise<AttemptEnd | undefined> {
  const { mailbox, log } = attempt;
  log(`waiting for a person: ${reason}`);
  const prompt = `${reason}\nShould the work go on? Raise the limit first, then approve. If you reject, the task fails.`;
  const asked = await ask(attempt, { kind: 'approval', prompt });
  if ('end' in asked) return asked.end;
  const stopped = await untilAnswered(attempt);
  if (stopped || mailbox.decisionOn(asked.id) !== 'reject') return stopped;
  return { verdict: { kind: 'fail', reason, isRetryable: false }, words: {}, artifacts: [] };
}
