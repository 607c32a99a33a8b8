import type { Place } from '../agent/agent.ts';
import { cutText } from '../clean-text.ts';
import { openProfile, withChecks } from '../profile/task-profile.ts';
import { workArtifacts } from '../project/work-artifacts.ts';
import { type ModelProxy, openModelProxy } from '../model-proxy/model-proxy.ts';
import { lockFolder, openWorkplace, type Workplace } from '../project/workplace.ts';
import { createTranscript } from '../transcript/transcript.ts';
import { ask, askForBudget, budgetNeeded, untilAnswered } from './people/ask-person.ts';
import type { LastWords } from '../verdict/happened.ts';
import type { AttemptEnd, AttemptParts, BudgetStop, OpenAttempt } from './attempt-parts.ts';
import { projectOf } from './claim.ts';
import { judgeTurn, withResult } from './judge-turn.ts';
import { readTurn } from './saved-turn.ts';
import { takeTurn } from './take-turn.ts';

/** One attempt; of a project nothing in the folder of the task is touched while another runner has that. */
export async function makeAttempt(parts: AttemptParts): Promise<AttemptEnd> {
  const { claimed, taskFolder } = parts;
  const release = projectOf(claimed.context) && (await lockFolder(taskFolder.path));
  try {
    return await prepareAndWork(parts);
  } finally {
    await release?.();
  }
}

/** Prepares what the task needs, and lets the agent take turns until it is decided how the attempt ends. */
async function prepareAndWork(parts: AttemptParts): Promise<AttemptEnd> {
  const { agent, claimed, keeper, cut, project: settings } = parts;
  const project = projectOf(claimed.context);
  const signal = AbortSignal.any([keeper.lost, cut]);
  const taskId = claimed.task.id;
  const reviewOf = claimed.context.parent?.task_id;
  const profile = await openProfile({ ...parts, serverEnv: settings.serverEnv, signal });
  const workplace =
    project &&
    (await openWorkplace({ ...parts, project: withChecks(project, profile), settings, taskId, reviewOf, signal }));
  const transcript = createTranscript(parts);
  const budgetStop: BudgetStop = {};
  const onBudget = (refusal: string | undefined) => void (budgetStop.refused = refusal);
  const proxy = parts.upstreams.length > 0 ? await openModelProxy({ ...parts, onBudget }) : undefined;
  const session = agent.open(placeOf(parts, { transcript, workplace, profile, proxy, budgetStop }));
  try {
    return await takeTurns({ ...parts, signal, workplace, profile, session, budgetStop });
  } finally {
    await session.close();
    await proxy?.close();
    await transcript.end();
  }
}

type PlaceParts = Pick<Place, 'transcript' | 'profile'> & {
  workplace: Workplace | undefined;
  proxy: ModelProxy | undefined;
  budgetStop: BudgetStop;
};

function placeOf(parts: AttemptParts, { transcript, workplace, profile, proxy, budgetStop }: PlaceParts): Place {
  const { claimed, keeper, mailbox, mask, taskFolder, timeoutSeconds, cut } = parts;
  return {
    taskId: claimed.task.id,
    folder: taskFolder.path,
    workFolder: workplace?.folder ?? taskFolder.work,
    env: workplace?.env ?? {},
    profile,
    access: proxy,
    keeper,
    timeoutSeconds,
    cut,
    record: taskFolder.record,
    mask,
    transcript,
    onExhausted: (reason) => void (budgetStop.exhausted = reason),
    onAsked: mailbox.keepAsked,
    onRunning: mailbox.listen,
  };
}

async function takeTurns(attempt: OpenAttempt): Promise<AttemptEnd> {
  const { keeper, mailbox, budgetStop, cut, log } = attempt;
  const attached: string[] = [];
  let words: LastWords = {};
  let saved = await turnBefore(attempt);
  let [rounds, feedback]: [number, string | undefined] = [saved?.rounds ?? 0, undefined];
  for (let run = saved?.run ?? 1; ; run += 1) {
    const result = saved ? { turn: saved.turn } : await takeTurn(attempt, { run, rounds, feedback });
    [saved, feedback] = [undefined, undefined];
    if ('stopped' in result) return result;
    const turn = 'waits' in result ? undefined : withResult(attempt, result.turn);
    attached.push(...(turn?.attached ?? []));
    words = { ...words, ...turn?.words };
    // A command may ask a person and end: it runs again with the answer, also when that came before its end.
    if (turn && (turn.end.kind === 'timeout' || (keeper.state() === 'running' && !mailbox.owesAnswer()))) {
      const { verdict, repositories } = await judgeTurn(attempt, { ...turn, attached }, rounds);
      const refusal = budgetNeeded(attempt, verdict);
      Object.assign(budgetStop, { refused: undefined, exhausted: undefined });
      if (refusal !== undefined) {
        const end = await askForBudget(attempt, refusal);
        if (end) return end;
        feedback = verdict.kind === 'again' ? verdict.text : undefined;
        continue;
      }
      if (verdict.kind === 'again') {
        rounds += 1;
        feedback = verdict.text;
        await reportRound(attempt, { rounds, reason: verdict.reason });
        continue;
      }
      if (verdict.kind !== 'ask') return { verdict, words, artifacts: await workArtifacts(repositories) };
      const asked = await ask(attempt, { kind: 'question', prompt: verdict.question });
      if ('end' in asked) return asked.end;
    }
    if (keeper.state() !== 'running') log('waiting for a person');
    const stopped = await untilAnswered({ keeper, cut });
    if (stopped) return stopped;
  }
}

/** Reports to people why the agent goes on. */
async function reportRound(
  { keeper, project, log }: OpenAttempt,
  { rounds, reason }: { rounds: number; reason: string },
) {
  const round = `sent back to the agent, round ${rounds} of ${project.maxRounds}`;
  log(`${reason.split('\n')[0]} ${round}`);
  await keeper.call('progress', { comment: cutText(`${reason}\n(${round})`, maxComment) });
}

const maxComment = 4_000;

/** The turn that a killed runner had its agent take, when nothing is new for the agent since. */
async function turnBefore({ workplace, claimed, taskFolder, log }: OpenAttempt) {
  const saved = workplace && (await readTurn(taskFolder, claimed.context));
  if (!saved || claimed.directives.length > 0) return undefined;
  log(`going on after the turn of attempt ${saved.attempt}`);
  return saved;
}
