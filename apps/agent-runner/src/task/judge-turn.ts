import { commitMessage } from '../git/commit-message.ts';
import { finishWork, type RepositoryWork } from '../project/finish-work.ts';
import { runCheck } from '../project/run-check.ts';
import { workKinds } from '../project/work-artifacts.ts';
import type { CheckResult, Happened, Turn } from '../verdict/happened.ts';
import { withPlainPaths } from '../verdict/finding-paths.ts';
import { resultIn } from '../verdict/result-in.ts';
import { isGood, type Verdict, verdictOf } from '../verdict/verdict.ts';
import type { OpenAttempt } from './attempt-parts.ts';
import { isCodeAsked, missingKinds } from './claim.ts';

/** The turn with the result that its last message ends with, where the task requires one. Commands say theirs. */
export function withResult(attempt: OpenAttempt, turn: Turn): Turn {
  const said = withSaidResult(attempt, turn);
  const { workplace } = attempt;
  const { result } = said.words;
  if (!result || !workplace || !attempt.claimed.context.parent) return said;
  return { ...said, words: { ...said.words, result: withPlainPaths(result, workplace.folder) } };
}

function withSaidResult({ agent, claimed }: OpenAttempt, turn: Turn): Turn {
  const schema = claimed.context.contract?.result_schema;
  if (schema === undefined || agent.isCommand || turn.words.result) return turn;
  const { result, problem } = resultIn(turn.text, schema);
  return problem === undefined ? { ...turn, words: { ...turn.words, result } } : { ...turn, resultProblem: problem };
}

/** What the turn comes to; with a project, after its work was committed, checked and pushed. */
export async function judgeTurn(
  attempt: OpenAttempt,
  turn: Turn,
  rounds: number,
): Promise<{ verdict: Verdict; repositories: RepositoryWork[] }> {
  const { agent, claimed, project: settings, workplace, signal, log } = attempt;
  const { task, context } = claimed;
  const happened: Happened = {
    turn,
    isScript: agent.isCommand && (!workplace || context.parent != null),
    work: undefined,
    missing: missingKinds(context, turn.attached),
    hasFeedback: claimed.directives.some(({ kind }) => kind === 'message'),
    hasReview: context.contract?.review != null,
    rounds: { used: rounds, max: settings.maxRounds },
  };
  // Nothing of what a reviewer changes is kept.
  if (context.parent) return { verdict: verdictOf(happened), repositories: [] };
  if (!workplace) return { verdict: await checkWithoutRepository(attempt, happened), repositories: [] };
  // Of a turn that failed by itself the files stay as they are, for the next attempt.
  const alone = verdictOf({ ...happened, isScript: true });
  if (alone.kind === 'fail' || alone.kind === 'release') return { verdict: alone, repositories: [] };
  return finishWork({
    workplace,
    settings,
    isCodeAsked: isCodeAsked(context),
    message: commitMessage({ title: task.title, taskId: task.id, attempt: context.attempt }),
    signal,
    log,
    verdictOf: (work, repositories) => {
      const made = repositories.flatMap(({ change, place }) =>
        change ? workKinds(place.repository.checks.length > 0) : [],
      );
      return verdictOf({ ...happened, work, missing: missingKinds(context, [...turn.attached, ...made]) });
    },
  });
}

/** The checks of the profile, in the folder of the work: a task without a repository has no others. */
async function checkWithoutRepository(attempt: OpenAttempt, happened: Happened): Promise<Verdict> {
  const { profile, taskFolder, project: settings, signal, log } = attempt;
  const verdict = verdictOf(happened);
  if (!profile || !isGood(verdict)) return verdict;
  const checks: CheckResult[] = [];
  for (const check of profile.checks) {
    log(`check ${check.name}`);
    checks.push(await runCheck(check, { folder: taskFolder.work, settings, signal }));
  }
  const work = { isCodeAsked: false, change: 'none', problems: [], checks, push: undefined } as const;
  return verdictOf({ ...happened, work });
}
