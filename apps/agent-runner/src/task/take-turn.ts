import type { TurnResult } from '../agent/agent.ts';
import type { RepositoryPlace } from '../project/workplace.ts';
import type { Turn, TurnEnd } from '../verdict/happened.ts';
import type { OpenAttempt } from './attempt-parts.ts';
import { forgetTurn, saveTurn } from './saved-turn.ts';

/** `run`: which turn of the task it is; `rounds`: how often the agent was sent back, the last time with `feedback`. */
type TurnParts = { run: number; rounds: number; feedback: string | undefined };

/** Has the agent take a turn, with all that is new for it, and keeps how that ended. */
export async function takeTurn(attempt: OpenAttempt, { run, rounds, feedback }: TurnParts): Promise<TurnResult> {
  const { claimed, mailbox, taskFolder, workplace, profile, session, log } = attempt;
  const { task, context } = claimed;
  const { directives, answers } = mailbox.take();
  const input = {
    task,
    context: { ...context, answers: [...context.answers, ...answers] },
    directives,
    run,
    ...(workplace ? { repositories: workplace.places.map(shownPlace) } : {}),
    ...(profile ? { profile: profile.shown } : {}),
    ...(feedback === undefined ? {} : { feedback }),
  };
  await taskFolder.write('task.json', input);
  await forgetTurn(taskFolder);
  const result = await session.take(input);
  if (!('turn' in result)) return result;
  for (const line of howItEnded(result.turn)) log(line);
  if (workplace) await saveTurn(taskFolder, context, { run, rounds, turn: result.turn });
  return result;
}

const shownPlace = ({ name, repository, worktree }: RepositoryPlace) => ({
  name,
  url: repository.url,
  path: worktree.path,
  branch: worktree.branch,
  base_branch: repository.base_branch,
});

/** Lines for the log: what the agent wrote of its failure is often all that is known of it. */
function howItEnded({ end, errors }: Turn): string[] {
  const isGood = end.kind === 'exit' ? end.code === 0 : end.kind === 'stop' && end.reason === 'end_turn';
  const what = end.kind === 'stop' ? 'the agent ended its turn' : 'the command ended';
  return [`${what}: ${textOf(end)}`, ...(isGood ? [] : errors.map((line) => `stderr: ${line}`))];
}

function textOf(end: TurnEnd): string {
  switch (end.kind) {
    case 'exit':
      return `exit code ${end.code}`;
    case 'signal':
      return `ended by ${end.signal}`;
    case 'timeout':
      return `not within ${end.seconds} s`;
    case 'stop':
      return end.reason;
    case 'error':
      return end.message;
  }
}
