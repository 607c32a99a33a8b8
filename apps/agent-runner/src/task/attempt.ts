import type { NewArtifact } from '@eas/contracts';
import type { Place } from '../agent/agent.ts';
import { askedQuestion } from '../agent/handle-line.ts';
import { cutText } from '../clean-text.ts';
import { openProfile, withChecks } from '../profile/task-profile.ts';
import { workArtifacts } from '../project/work-artifacts.ts';
import { type ModelDoor, openModelDoor } from '../door/model-door.ts';
import { openWorkplace, type Workplace } from '../project/workplace.ts';
import { createTranscript } from '../transcript/transcript.ts';
import type { LastWords } from '../verdict/happened.ts';
import type { AttemptParts, OpenAttempt } from './attempt-parts.ts';
import { projectOf } from './claim.ts';
import { judgeTurn, withResult } from './judge-turn.ts';
import type { FinalVerdict } from './report.ts';
import { forgetTurn, readTurn } from './saved-turn.ts';
import { takeTurn } from './take-turn.ts';

/** How an attempt ends. `stopped`: its lease is lost, or the runner ends. */
export type AttemptEnd =
  { verdict: FinalVerdict; words: LastWords; artifacts: NewArtifact[] } | { stopped: 'lost' | 'cut' };

/** Prepares what the task needs, and lets the agent take turns until it is decided how the attempt ends. */
export async function makeAttempt(parts: AttemptParts): Promise<AttemptEnd> {
  const { agent, claimed, keeper, cut, project: settings } = parts;
  const project = projectOf(claimed.context);
  const signal = AbortSignal.any([keeper.lost, cut]);
  const taskId = claimed.task.id;
  const reviewOf = claimed.context.parent?.task_id;
  const profile = await openProfile({ ...parts, env: settings.env, signal });
  const workplace =
    project &&
    (await openWorkplace({ ...parts, project: withChecks(project, profile), settings, taskId, reviewOf, signal }));
  const transcript = createTranscript(parts);
  const door = parts.upstreams.length > 0 ? await openModelDoor(parts) : undefined;
  const session = agent.open(placeOf(parts, { transcript, workplace, profile, door }));
  try {
    return await takeTurns({ ...parts, signal, workplace, profile, session, door });
  } finally {
    await session.close();
    await door?.close();
    await transcript.end();
    await workplace?.close();
  }
}

type PlaceParts = Pick<Place, 'transcript' | 'profile'> & {
  workplace: Workplace | undefined;
  door: ModelDoor | undefined;
};

function placeOf(parts: AttemptParts, { transcript, workplace, profile, door }: PlaceParts): Place {
  const { claimed, keeper, mailbox, taskFolder, timeoutSeconds, cut } = parts;
  return {
    taskId: claimed.task.id,
    folder: taskFolder.path,
    workFolder: workplace?.folder ?? taskFolder.work,
    env: workplace?.env ?? {},
    profile,
    access: door,
    keeper,
    timeoutSeconds,
    cut,
    record: taskFolder.record,
    transcript,
    onAsked: mailbox.keepAsked,
    onRunning: mailbox.listen,
  };
}

async function takeTurns(attempt: OpenAttempt): Promise<AttemptEnd> {
  const { keeper, mailbox, door, cut, log } = attempt;
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
      if (verdict.kind === 'again') {
        rounds += 1;
        feedback = verdict.text;
        await tellRound(attempt, { rounds, reason: verdict.reason });
        continue;
      }
      const refusal = door?.takeRefusal();
      if (refusal !== undefined && verdict.kind === 'fail') {
        const end = await askForBudget(attempt, refusal);
        if (end) return end;
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

/** Undefined: the work goes on. */
async function untilAnswered({ keeper, cut }: Pick<OpenAttempt, 'keeper' | 'cut'>): Promise<AttemptEnd | undefined> {
  await keeper.running(cut);
  if (keeper.state() === 'running') return undefined;
  return { stopped: keeper.lost.aborted ? 'lost' : 'cut' };
}

/** Asks a person whether the work goes on without what the budget has left. Gives the end of the attempt if it does not. */
async function askForBudget(attempt: OpenAttempt, reason: string): Promise<AttemptEnd | undefined> {
  const { mailbox, log } = attempt;
  log(`waiting for a person: ${reason}`);
  const prompt = `${reason}\nShould the work go on? Raise the limit first, then approve. If you reject, the task fails.`;
  const asked = await ask(attempt, { kind: 'approval', prompt });
  if ('end' in asked) return asked.end;
  const stopped = await untilAnswered(attempt);
  if (stopped || mailbox.decisionOn(asked.id) !== 'reject') return stopped;
  return { verdict: { kind: 'fail', reason, isRetryable: false }, words: {}, artifacts: [] };
}

/** A person who follows the task sees why the agent goes on. */
async function tellRound(
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

type Asked = { id: string } | { end: AttemptEnd };

/** Asks a person in the name of the agent; gives the end of the attempt when that is not possible. */
async function ask(
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
