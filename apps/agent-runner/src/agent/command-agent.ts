import { cleanText, maxText } from '../clean-text.ts';
import { mayBeForRunner, newMark } from '../command/marked-line.ts';
import type { Ended } from '../command/process-group.ts';
import { splitLines } from '../command/split-lines.ts';
import { startCommand } from '../command/start-command.ts';
import { accessEnv } from '../presets/model-access.ts';
import { profileNotice } from '../profile/task-profile.ts';
import type { LastWords, Turn, TurnEnd } from '../verdict/happened.ts';
import type { Agent, Place, TurnInput, TurnResult } from './agent.ts';
import { countWork } from './count-work.ts';
import { handleLine, type LineHandling } from './handle-line.ts';
import { lastLines } from './last-lines.ts';
import type { Env } from '../key/env.ts';

export type CommandSettings = {
  line: string;
  env: Env;
  graceSeconds: number;
  /** Its stdin ends after the task: for programs that read to the end before they begin. */
  closesStdin: boolean;
};

/** Any command-line program: it runs once for each turn, and its marked lines are calls. */
export const commandAgent = (settings: CommandSettings): Agent => ({
  isCommand: true,
  open(place) {
    const { profile, transcript } = place;
    if (profile) transcript.add({ kind: 'notice', text: profileNotice(profile) });
    return { take: (input) => runCommand(settings, place, input), close: async () => {} };
  },
});

/** Runs the command once and handles its output until it and all that it started is gone. */
async function runCommand(settings: CommandSettings, place: Place, input: TurnInput): Promise<TurnResult> {
  const { taskId, folder, workFolder, keeper, timeoutSeconds, cut, onRunning } = place;
  const mark = newMark();
  const env = {
    ...settings.env,
    ...place.env,
    ...accessEnv(place.access),
    TASK_ID: taskId,
    TASK_DIR: folder,
    SAY: mark,
  };
  const command = startCommand({ line: settings.line, folder: workFolder, env, graceSeconds: settings.graceSeconds });
  const timeout = new AbortController();
  const stopClock = countWork(keeper, timeoutSeconds * 1_000, () => timeout.abort());
  const ending = AbortSignal.any([keeper.lost, cut, timeout.signal]);
  ending.addEventListener('abort', () => command.kill(), { once: true });
  if (ending.aborted) command.kill();
  void command.say(input);
  if (settings.closesStdin) command.closeStdin();
  else onRunning(command);
  const words: LastWords = {};
  const attached: string[] = [];
  const onAttached = (kind: string) => void attached.push(kind);
  const refuse = refusal(place, command);
  try {
    const handling = { keeper, words, mark, ending, onAsked: place.onAsked, onAttached, refuse };
    const [ended, said] = await Promise.all([command.ended, readOutput(command, place, handling)]);
    if (keeper.lost.aborted) return { stopped: 'lost' };
    if (cut.aborted && !timeout.signal.aborted) return { stopped: 'cut' };
    const end: TurnEnd = timeout.signal.aborted ? { kind: 'timeout', seconds: timeoutSeconds } : endOf(ended);
    return { turn: { end, words, denied: [], attached, ...said } };
  } finally {
    stopClock();
    onRunning(undefined);
  }
}

function refusal({ record }: Place, command: { say(message: object): Promise<boolean> }): LineHandling['refuse'] {
  return (line, error) => {
    record(`refused: ${line}: ${JSON.stringify(error)}`);
    void command.say({ kind: 'refused', line, error });
  };
}

type Output = { stdout: AsyncIterable<Buffer>; stderr: AsyncIterable<Buffer> };

/** The last lines of both streams that are not for the runner. */
async function readOutput(
  { stdout, stderr }: Output,
  { record, transcript, mask }: Place,
  handling: LineHandling,
): Promise<Pick<Turn, 'text' | 'errors'>> {
  const [output, errors] = [lastLines(), lastLines()];
  const show = (lines: readonly string[], from: string) => {
    const printed = lines.map((line) => `${line}\n`).join('');
    const text = cleanText(mask.text(printed).slice(-maxText));
    if (text !== '') transcript.add({ kind: 'text', text, message_id: from });
  };
  const readStdout = async () => {
    for await (const lines of splitLines(stdout)) {
      record(lines.join('\n'));
      const plain: string[] = [];
      for (const line of lines) if (!mayBeForRunner(line) || !(await handleLine(handling, line))) plain.push(line);
      plain.forEach(output.add);
      show(plain, 'stdout');
    }
  };
  const readStderr = async () => {
    for await (const lines of splitLines(stderr)) {
      record(lines.join('\n'));
      lines.forEach(errors.add);
      show(lines, 'stderr');
    }
  };
  await Promise.all([readStdout(), readStderr()]);
  return { text: output.lines().join('\n'), errors: errors.lines() };
}

const endOf = ({ code, signal }: Ended): TurnEnd =>
  code === null ? { kind: 'signal', signal: signal ?? 'a signal' } : { kind: 'exit', code };
